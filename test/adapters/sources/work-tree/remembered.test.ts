/** A watched tree is remembered where it is quiet: its look is always that of one who looks at everything, and asks far less. */

import fs, {
  appendFileSync,
  chmodSync,
  linkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { workTree } from '../../../../dist/adapters/sources/work-tree/index.js'
import { plant, planted } from './tree.js'

const WORLD = Object.fromEntries(
  Array.from({ length: 120 }, (_, number) => [
    `d${number % 6}/e${number % 4}/f${number}.ts`,
    `export const f${number} = 1\n`,
  ]),
)

/** Twice: what another thread saw at the first look is not kept, and events of the set-up may still be on their way. */
const watched = async (root: string, now = Date.now) => {
  const source = workTree({ root, now })
  const watch = source.watch!()
  onTestFinished(() => watch.close())
  await source.look!()
  await pause(200)
  await source.look!()
  return source
}

const sameAsFresh = async (source: Awaited<ReturnType<typeof watched>>, root: string, what: string) => {
  const fresh = await workTree({ root }).look!()
  await vi.waitFor(
    async () => expect({ what, stamp: (await source.look!()).stamp }).toEqual({ what, stamp: fresh.stamp }),
    {
      timeout: 5_000,
    },
  )
  const mine = (await source.look!()).changes(new Map())
  expect(mine).toEqual(fresh.changes(new Map()))
}

test('whatever happens to the tree, a remembered look sees it', async () => {
  const root = planted({ ...WORLD, '.gitignore': 'build/\n*.log\n' })
  const at = (path: string): string => join(root, path)
  const source = await watched(root)
  const events: readonly (readonly [what: string, ...steps: (() => void)[]])[] = [
    ['a file is written in place', () => writeFileSync(at('d0/e0/f0.ts'), 'export const other = 2\n')],
    ['something is appended', () => appendFileSync(at('d1/e1/f1.ts'), '// more\n')],
    ['only the time changes', () => utimesSync(at('d2/e2/f2.ts'), 1_000, 1_000)],
    [
      'a file is replaced',
      () => plant(root, { 'x.new': 'new' }),
      () => renameSync(at('x.new'), at('d3/e3/f3.ts')),
    ],
    ['a file goes', () => rmSync(at('d4/e0/f4.ts'))],
    ['a file becomes empty', () => writeFileSync(at('d5/e1/f5.ts'), '')],
    ['a file comes back from that', () => writeFileSync(at('d5/e1/f5.ts'), 'export const back = 1\n')],
    ['a new directory, with files', () => plant(root, { 'new/deep/a.ts': 'a', 'new/deep/b.ts': 'b' })],
    ['a file in it changes', () => writeFileSync(at('new/deep/a.ts'), 'changed')],
    ['a directory is moved', () => renameSync(at('new'), at('moved'))],
    ['a file in the moved one changes', () => writeFileSync(at('moved/deep/b.ts'), 'changed too')],
    [
      'a directory takes the place of another',
      () => renameSync(at('d0'), at('was0')),
      () => renameSync(at('d1'), at('d0')),
    ],
    ['a file in the one that took its place changes', () => writeFileSync(at('d0/e1/f1.ts'), 'third')],
    ['a file in the one that was moved away changes', () => writeFileSync(at('was0/e0/f0.ts'), 'fourth')],
    [
      'a directory is removed and made again',
      () => rmSync(at('d2'), { recursive: true }),
      () => plant(root, { 'd2/e2/f2.ts': 'again' }),
    ],
    ['a file in that one changes', () => writeFileSync(at('d2/e2/f2.ts'), 'and again')],
    ['ignored files come', () => plant(root, { 'd3/e1/noise.log': 'noise', 'build/out.ts': 'out' })],
    ['they are no longer ignored', () => writeFileSync(at('.gitignore'), '\n')],
    ['one of them changes', () => writeFileSync(at('build/out.ts'), 'another')],
    ['a directory gets an ignore file', () => plant(root, { 'd3/.gitignore': 'e1/\n' })],
    ['it goes again', () => rmSync(at('d3/.gitignore'))],
    [
      'a file becomes a link',
      () => rmSync(at('d4/e2/f10.ts')),
      () => symlinkSync('f22.ts', at('d4/e2/f10.ts')),
    ],
    [
      'a file becomes a directory',
      () => rmSync(at('d4/e2/f22.ts')),
      () => plant(root, { 'd4/e2/f22.ts/a.ts': 'a' }),
    ],
    ['a file may not be read', () => chmodSync(at('d5/e3/f11.ts'), 0o000)],
    ['a directory is a repository now', () => plant(root, { 'moved/.git/HEAD': 'ref: refs/heads/main\n' })],
    [
      'thousands of files come at once',
      () =>
        plant(
          root,
          Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`many/${n % 9}/${n}.ts`, `${n}`])),
        ),
    ],
    ['one of them changes', () => writeFileSync(at('many/3/12.ts'), 'changed')],
    ['all of them go', () => rmSync(at('many'), { recursive: true })],
  ]
  for (const [what, ...steps] of events) {
    for (const step of steps) step()
    await sameAsFresh(source, root, what)
  }
})

test('after an edit a look asks about one file and lists one directory', async () => {
  const root = planted(WORLD)
  const source = await watched(root)
  const count = { lstatSync: 0, readdirSync: 0 }
  const functions = fs as unknown as Record<keyof typeof count, (path: string, options: object) => unknown>
  for (const name of ['lstatSync', 'readdirSync'] as const) {
    const real = functions[name]
    functions[name] = (path, options) => {
      if (path.startsWith(`${root}/`)) count[name]++
      return real(path, options)
    }
    onTestFinished(() => {
      functions[name] = real
      syncBuiltinESMExports()
    })
  }
  syncBuiltinESMExports()
  writeFileSync(join(root, 'd0/e0/f0.ts'), 'export const other = 2\n')
  await pause(200)
  await source.look!()
  expect(count).toEqual({ lstatSync: 1, readdirSync: 1 })
})

test('what stirs nothing is seen after a minute', async () => {
  const root = planted({ 'a.ts': 'export const a = 1\n' })
  const outside = planted({ 'b.ts': 'export const b = 1\n' })
  linkSync(join(outside, 'b.ts'), join(root, 'b.ts'))
  let clock = 0
  const source = await watched(root, () => Date.now() + clock)
  const before = (await source.look!()).stamp
  // By its other name, in a directory that nobody watches.
  writeFileSync(join(outside, 'b.ts'), 'export const b = 2\n')
  await pause(200)
  clock = 61_000
  const { stamp } = await source.look!()
  expect(stamp).not.toBe(before)
  expect(stamp).toBe((await workTree({ root }).look!()).stamp)
})
