/** FAULTS 1 and 3: killed at any moment and cut off at any byte, the index is one that some commit left behind. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dump } from '../../../../dist/adapters/stores/sqlite/index.js'
import { inspect } from '../../../processes/store-versions.js'
import { type Child, type Line, randomNumbers, startChild } from './processes.js'
import { scratchDirectory, storeIn } from './scratch.js'

const DOCUMENTS = 12
const KILLS = 100

const acknowledged = (file: string): Map<string, number> => {
  const revisions = new Map<string, number>()
  if (!existsSync(file)) return revisions
  // A killed writer may leave half a line behind; its commit then counts as not acknowledged.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  for (const line of lines) {
    const [path, revision] = line.split(' ') as [string, string]
    revisions.set(path, Number(revision))
  }
  return revisions
}

const inspected = async (
  child: Child,
): Promise<Line & { faults: string[]; revisions: Record<string, number> }> => {
  child.tell('go')
  const line = await child.line()
  if (line?.event !== 'inspected')
    throw new Error(`no inspection: ${JSON.stringify(line)} ${await child.ended()}`)
  return line as Line & { faults: string[]; revisions: Record<string, number> }
}

it(`survives ${KILLS} kills: nothing acknowledged is lost, nothing is half written, and it resumes to an equal dump`, async () => {
  const random = randomNumbers(20_261_115)
  const directory = join(scratchDirectory(), 'index')
  const acknowledgements = join(scratchDirectory(), 'acknowledged')
  const start = (round: number): Child =>
    startChild([
      'revise',
      directory,
      acknowledgements,
      String(DOCUMENTS),
      round % 10 === 0 ? 'deep' : 'quick',
    ])
  const problems: string[] = []
  const landed = new Map<string, number>()
  let highest = 0
  let spare = start(0)
  for (let round = 0; round <= KILLS; round++) {
    const child = spare
    // The next one starts up meanwhile: half of the time would go into loading Node.
    if (round < KILLS) spare = start(round + 1)
    const kept = acknowledged(acknowledgements)
    const { faults, revisions } = await inspected(child)
    problems.push(...faults)
    const ahead = Object.entries(revisions).filter(
      ([path, now]) => now !== kept.get(path) && now !== landed.get(path),
    )
    // A kill between a commit and its acknowledgement leaves one document ahead of what we know, and never one behind.
    if (ahead.length > 1) problems.push(`more than one commit without acknowledgement: ${ahead.join(' ')}`)
    for (const [path, now] of ahead) landed.set(path, now)
    for (const [path, revision] of kept) {
      const now = revisions[path] ?? 0
      if (now < revision) problems.push(`${path}: revision ${now}, but ${revision} was acknowledged`)
    }
    highest = Math.max(highest, ...Object.values(revisions))
    await new Promise(resolve => setTimeout(resolve, random() * 100))
    await child.kill()
  }
  expect(problems).toEqual([])
  // On a busy machine many are killed before they have written anything.
  expect(highest).toBeGreaterThan(10)

  const target = String(highest + 5)
  const last = startChild(['revise', directory, acknowledgements, String(DOCUMENTS), 'deep', target])
  expect((await inspected(last)).faults).toEqual([])
  expect(await last.line()).toEqual({ event: 'done' })
  const untouched = join(scratchDirectory(), 'index')
  const other = startChild([
    'revise',
    untouched,
    join(scratchDirectory(), 'x'),
    String(DOCUMENTS),
    'deep',
    target,
  ])
  await inspected(other)
  expect(await other.line()).toEqual({ event: 'done' })
  await Promise.all([last.ended(), other.ended()])
  const lines = await dump(directory)
  expect(lines.length).toBeGreaterThan(DOCUMENTS * 3)
  expect(lines).toEqual(await dump(untouched))
}, 240_000)

it('would notice a writer that is not careful', async () => {
  const random = randomNumbers(7)
  let noticed = 0
  for (let round = 0; round < 12; round++) {
    const directory = join(scratchDirectory(), 'index')
    const acknowledgements = join(scratchDirectory(), 'acknowledged')
    const careless = startChild(['revise', directory, acknowledgements, String(DOCUMENTS), 'naive'])
    await inspected(careless)
    while (acknowledged(acknowledgements).size < 2) await new Promise(resolve => setTimeout(resolve, 5))
    await new Promise(resolve => setTimeout(resolve, random() * 40))
    await careless.kill()
    const next = startChild(['revise', directory, acknowledgements, String(DOCUMENTS), 'quick'])
    if ((await inspected(next)).faults.length > 0) noticed++
    await next.kill()
  }
  expect(noticed).toBeGreaterThan(0)
}, 120_000)

it('opens to a consistent prefix, wherever power loss tore the log', async () => {
  const COMMITS = 60
  const made = join(scratchDirectory(), 'index')
  const child = startChild(['sequence', made, String(COMMITS), String(DOCUMENTS)])
  expect(await child.line()).toEqual({ event: 'done' })
  await child.kill()
  const log = readFileSync(join(made, 'index.sqlite-wal'))
  expect(log.length).toBeGreaterThan(100_000)

  const random = randomNumbers(3)
  const directory = join(scratchDirectory(), 'index')
  const store = storeIn(directory)
  const prefixes = new Set<number>()
  for (let round = 0; round < 100; round++) {
    await store.purge()
    mkdirSync(directory, { recursive: true })
    copyFileSync(join(made, 'index.sqlite'), join(directory, 'index.sqlite'))
    const at = Math.floor(random() * log.length)
    const torn = Buffer.from(log)
    if (round % 3 === 1) torn.fill(0, at)
    if (round % 3 === 2) for (let byte = at; byte < torn.length; byte++) torn[byte] = random() * 256
    writeFileSync(join(directory, 'index.sqlite-wal'), round % 3 === 0 ? torn.subarray(0, at) : torn)
    expect(await store.check(true)).toEqual([])
    const reader = await store.openReader()
    const { revisions, faults } = await inspect(reader)
    await reader.close()
    expect(faults).toEqual([])
    const last = Math.max(0, ...Object.values(revisions))
    prefixes.add(last)
    for (let revision = Math.max(1, last - DOCUMENTS + 1); revision <= last; revision++) {
      expect(revisions[`doc-${revision % DOCUMENTS}.ts`]).toBe(revision)
    }
    expect(Object.keys(revisions)).toHaveLength(Math.min(last, DOCUMENTS))
  }
  expect(prefixes.size).toBeGreaterThan(20)
  rmSync(made, { recursive: true })
  expect(statSync(directory).isDirectory()).toBe(true)
}, 120_000)
