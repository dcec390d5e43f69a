/** No room: by a limit on file sizes (EFBIG), and on a small file system that is full (ENOSPC). */

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { repositoryIn } from './history-scene.js'
import { type Ran, type Scene, story } from './story.js'

const INDEX = ['index', '--fast', '--no-history', '--offline', '--quiet', '--json']
const SEARCH = ['search', '--offline', '--json', '-k', '3']

/** Each holds a name that no other file and no other version has; together they take some megabytes of log. */
const writeFiles = ({ write }: Scene, count: number, version: string): void => {
  for (let number = 0; number < count; number++) {
    const lines = Array.from({ length: 60 }, (_, line) => `  ${version}(${number * 60 + line})\n`).join('')
    write(`src/file${number}.ts`, `export function ${version}Number${number}() {\n${lines}}\n`)
  }
}

/** Runs the binary where no file may grow beyond so many kilobytes. */
const runLimited = (scene: Scene, kilobytes: number, ...args: readonly string[]): Promise<Ran> =>
  scene.runWith({ shell: `trap '' XFSZ; ulimit -f ${kilobytes}` }, ...args)

const expectRefusal = ({ code, stderr, stdout }: Ran, free: RegExp, hint: string): void => {
  expect([code, stdout]).toEqual([74, ''])
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: 'DISK_FULL', hint: expect.stringContaining(hint) })
  expect(error.message).toMatch(/about \d+\.\d MB needed, /)
  expect(error.message).toMatch(free)
}

/** The answer of a search that had to do with the index as it is. */
const expectOldAnswer = ({ code, stdout }: Ran): void => {
  expect(code).toBe(0)
  const { hits, warnings } = JSON.parse(stdout)
  expect(hits[0]).toMatchObject({ path: 'src/file7.ts', text: expect.stringContaining('firstNumber7()') })
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'STALE' }))
}

const expectWhole = async (scene: Scene, files: number): Promise<void> => {
  const found = JSON.parse((await scene.run(...SEARCH, 'secondNumber7')).stdout)
  expect(found.hits[0]).toMatchObject({ path: 'src/file7.ts', symbol: 'secondNumber7' })
  expect(found.index.documents).toBe(files)
  const { code, stdout } = await scene.run('doctor', '--deep', '--offline')
  expect([code, stdout]).toEqual([0, expect.stringContaining('every page was read')])
}

describe('without room for the index', () => {
  story('by a limit on file sizes: the old index answers, and with room the next run ends', async scene => {
    writeFiles(scene, 20, 'first')
    expect((await scene.run(...INDEX)).code).toBe(0)
    writeFiles(scene, 90, 'second')
    const free = /\d MB free, but files may not grow so large here/
    expectRefusal(await runLimited(scene, 200, ...INDEX), free, 'ulimit -f unlimited')
    expectOldAnswer(await runLimited(scene, 200, ...SEARCH, 'firstNumber7'))
    expect((await scene.run(...INDEX)).code).toBe(0)
    await expectWhole(scene, 90)
  })

  story('from the very first run: nothing half made is left, and with room search indexes', async scene => {
    writeFiles(scene, 90, 'second')
    for (const kilobytes of [0, 8, 120]) {
      expectRefusal(await runLimited(scene, kilobytes, ...INDEX), /MB free/, 'quarry index')
      expectRefusal(await runLimited(scene, kilobytes, ...SEARCH, 'second'), /MB free/, 'quarry index')
    }
    await expectWhole(scene, 90)
  })

  story(
    'for what history is read through: told as the index tells it, and nothing is left of it',
    async scene => {
      repositoryIn(scene).commit('first', { 'src/one.ts': 'export const one = 1\n' })
      expect((await scene.run(...INDEX)).code).toBe(0)
      const explained = await runLimited(scene, 0, 'explain', 'src/one.ts', '--offline', '--json')
      expectRefusal(explained, /\d MB free, but files may not grow so large here/, 'ulimit -f unlimited')
      expect((await scene.run('explain', 'src/one.ts', '--offline', '--json')).code).toBe(0)
    },
  )

  for (const [name, mountAt] of fileSystems()) {
    story(
      `on a full disk of ${name}: the old index answers, and with room the next run ends`,
      async scene => {
        mkdirSync(scene.home)
        const unmount = mountAt(scene.home)
        try {
          writeFiles(scene, 20, 'first')
          expect((await scene.run(...INDEX)).code).toBe(0)
          writeFiles(scene, 90, 'second')
          const ballast = join(scene.home, 'ballast')
          for (const leave of [200_000, 0]) {
            fill(scene.home, ballast, leave)
            expectRefusal(await scene.run(...INDEX), /needed, 0\.\d MB free\. What was indexed/, 'make room')
            expectOldAnswer(await scene.run(...SEARCH, 'firstNumber7'))
          }
          rmSync(ballast)
          expect((await scene.run(...INDEX)).code).toBe(0)
          await expectWhole(scene, 90)
        } finally {
          unmount()
        }
      },
    )

    story(`on a disk of ${name} that is full after the first bytes: each run says so`, async scene => {
      mkdirSync(scene.home)
      const unmount = mountAt(scene.home)
      try {
        writeFiles(scene, 90, 'first')
        for (let leave = 120_000; leave <= 280_000; leave += 20_000) {
          fill(scene.home, join(scene.home, 'ballast'), leave)
          expectRefusal(await scene.run(...INDEX), /needed, 0\.\d MB free/, 'make room')
          rmSync(join(scene.home, 'data'), { recursive: true, force: true })
        }
      } finally {
        unmount()
      }
    })
  }
})

const fill = (directory: string, ballast: string, leave: number): void => {
  rmSync(ballast, { force: true })
  const { bavail, bsize } = statfsSync(directory)
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - leave)))
}

/** Small file systems that this machine lets us make; the stories above need none. */
function fileSystems(): [string, (directory: string) => () => void][] {
  const memory = (directory: string): (() => void) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', directory], { stdio: 'ignore' })
    return () => execFileSync('umount', [directory])
  }
  const trial = mkdtempSync(join(tmpdir(), 'quarry-mount-'))
  try {
    memory(trial)()
    return [['memory', memory]]
  } catch {
    return []
  } finally {
    rmSync(trial, { recursive: true })
  }
}
