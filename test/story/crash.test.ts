/** `quarry index` killed at any moment, a hundred times over: nothing half written, and the next run ends as if nothing had been. */

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { dump, sqliteStore } from '../../dist/adapters/stores/sqlite/index.js'
import { randomNumbers } from '../adapters/stores/sqlite/processes.js'
import { type Scene, story } from './story.js'

/** Two scenes side by side make a hundred. */
const KILLS = 50
const FILES = 160
const INDEX = ['index', '--fast', '--no-history', '--offline', '--progress=json']

/** Some chunks each: the tree is several batches, of which a run may have committed any number. A few are parsed. */
const writeFile = ({ write }: Scene, number: number, version: number): void => {
  const [name, open, close] =
    number % 40 === 0 ? [`${number}.ts`, 'export function ', '}'] : [`${number}.md`, '## ', '']
  const parts = ['load', 'change', 'check', 'save', 'close', 'forget'].map(verb => {
    const lines = Array.from(
      { length: 30 },
      (_, line) => `  const v${line} = ${version} * input + ${number}\n`,
    )
    return `${open}${verb}${number}(input)${close && ' {'}\n${lines.join('')}${close}\n`
  })
  write(`part${number % 7}/${name}`, parts.join('\n'))
}

interface Found {
  readonly documents: number
  readonly faults: readonly string[]
}

/**
 * What the killed process left, as the next one will find it. Looked at in a copy: a reader that stays open would spare the
 * next process the work of mending, which is the work that is tried here.
 */
const inspect = async (directory: string, copy: string): Promise<Found> => {
  if (!existsSync(join(directory, 'index.sqlite'))) return { documents: 0, faults: [] }
  mkdirSync(copy)
  for (const name of ['index.sqlite', 'index.sqlite-wal'])
    if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(copy, name))
  const faults = await sqliteStore({ directory: copy, root: '/' }).check(true)
  const lines = await dump(copy)
  rmSync(copy, { recursive: true })
  const chunks = new Map<string, number>()
  for (const [, path] of lines.map(line => /^code (".*") \d{6} /.exec(line) ?? []))
    if (path !== undefined) chunks.set(path, (chunks.get(path) ?? 0) + 1)
  const documents = lines.flatMap(line => {
    const [, path, count] = /^code (".*") = \S+ (\d+)$/.exec(line) ?? []
    return path === undefined
      ? []
      : [{ path, isWhole: chunks.get(path) === Number(count) && Number(count) > 1 }]
  })
  const halves = documents.filter(({ isWhole }) => !isWhole).map(({ path }) => `${path} is not whole`)
  return { documents: documents.length, faults: [...faults, ...halves] }
}

/** Kills one run: while it starts, while it reads and parses, or about a commit. By what it says, as machines are busy at times. */
const killOnce = async (scene: Scene, random: () => number): Promise<void> => {
  const run = scene.start({}, ...INDEX)
  const ended = run.ended()
  const moment = random()
  const sign = moment < 0.35 ? null : moment < 0.6 ? /"stage":"chunk"/ : /"done":[1-9]/
  if (sign !== null) {
    const said = new Promise<void>(resolve => {
      run.process.stderr.on('data', text => sign.test(text) && resolve())
    })
    await Promise.race([said, ended])
  }
  await pause(random() * 200)
  run.process.kill('SIGKILL')
  await ended
}

describe.concurrent('an index run', () => {
  for (const seed of [20_261_116, 7])
    story(`killed ${KILLS} times at random moments (${seed}) resumes to an equal index`, async scene => {
      const random = randomNumbers(seed)
      for (let number = 0; number < FILES; number++) writeFile(scene, number, 0)
      const { indexDirectory } = JSON.parse((await scene.run('status', '--json')).stdout)
      const problems: string[] = []
      let partly = 0
      for (let kill = 1; kill <= KILLS; kill++) {
        // From nothing at times, or all kills but the first would meet an index that is nearly done.
        if (kill % 7 === 0) rmSync(indexDirectory, { recursive: true, force: true })
        await killOnce(scene, random)
        const { documents, faults } = await inspect(indexDirectory, join(scene.home, `copy-${kill}`))
        problems.push(...faults.map(fault => `after kill ${kill}: ${fault}`))
        if (documents > 0 && documents < FILES) partly++
        for (let change = 0; change < 4; change++) writeFile(scene, Math.floor(random() * FILES), kill)
      }
      expect(problems).toEqual([])
      expect(partly).toBeGreaterThan(4)

      expect((await scene.run(...INDEX)).code).toBe(0)
      const other = join(scene.home, 'uninterrupted')
      const elsewhere = { environment: { QUARRY_HOME: other } }
      expect((await scene.runWith(elsewhere, ...INDEX)).code).toBe(0)
      const { stdout } = await scene.runWith(elsewhere, 'status', '--json')
      const lines = await dump(indexDirectory)
      expect(lines.length).toBeGreaterThan(FILES * 3)
      expect(lines).toEqual(await dump(JSON.parse(stdout).indexDirectory))
      const doctor = await scene.run('doctor', '--deep', '--offline')
      expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('every page was read')])
    })
})
