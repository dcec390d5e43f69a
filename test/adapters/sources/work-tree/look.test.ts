/** One look at the tree: its name stays as long as nothing changes, and it compares as `changes` does. */

import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { workTree } from '../../../../dist/adapters/sources/work-tree/index.js'
import { planted, readAll, remember } from './tree.js'

const FILES = {
  'a.ts': 'x',
  'd/b.ts': 'x',
  'd/c.ts': 'x',
  'binary.bin': '\0',
  'picture.png': 'x',
  'empty.ts': '',
  '.gitignore': 'ignored.ts\n',
  'ignored.ts': 'x',
}

const stampOf = async (root: string, options = {}): Promise<string> =>
  (await workTree({ root, ...options }).look!()).stamp

const LATER = { now: () => Date.now() + 10_000 }

describe('the name of what was seen', () => {
  test('is the same for a tree that rests, and not changed by what is ignored or read', async () => {
    const root = planted(FILES)
    const before = await stampOf(root)
    appendFileSync(join(root, 'ignored.ts'), 'y')
    await readAll(root, ['a.ts', 'd/b.ts'])
    expect(await stampOf(root)).toBe(before)
    expect(before).toMatch(/^tree [0-9a-f]{32}$/)
  })

  const changes: Readonly<Record<string, (root: string) => void>> = {
    'a file is written to': root => appendFileSync(join(root, 'a.ts'), 'y'),
    'a file comes': root => writeFileSync(join(root, 'new.ts'), 'x'),
    'a file goes': root => rmSync(join(root, 'd/c.ts')),
    'a file becomes a link': root => {
      rmSync(join(root, 'a.ts'))
      symlinkSync('d/b.ts', join(root, 'a.ts'))
    },
    'a file is renamed': root => renameSync(join(root, 'a.ts'), join(root, 'z.ts')),
    'two files change names': root => {
      renameSync(join(root, 'd/b.ts'), join(root, 'x'))
      renameSync(join(root, 'd/c.ts'), join(root, 'd/b.ts'))
      renameSync(join(root, 'x'), join(root, 'd/c.ts'))
    },
    'a directory is renamed, whose files stay as they are': root =>
      renameSync(join(root, 'd'), join(root, 'e')),
    'a file that is left out comes': root => writeFileSync(join(root, 'other.png'), 'x'),
    'a file that is left out goes': root => rmSync(join(root, 'picture.png')),
    'an empty file goes': root => rmSync(join(root, 'empty.ts')),
    'a file is ignored': root => appendFileSync(join(root, '.gitignore'), 'a.ts\n'),
    'another ignore file comes': root => writeFileSync(join(root, 'd/.quarryignore'), '*\n'),
    'a file may no longer be read': root => chmodSync(join(root, 'a.ts'), 0o000),
  }
  for (const [what, change] of Object.entries(changes))
    test(`is another one when ${what}`, async () => {
      const root = planted(FILES)
      const before = await stampOf(root)
      change(root)
      expect(await stampOf(root)).not.toBe(before)
    })

  test('depends on the settings that decide what is read', async () => {
    const root = planted(FILES)
    const names = [{}, { ignore: ['d'] }, { include: ['nothing/there'] }, { maxFileBytes: 0 }]
    expect(new Set(await Promise.all(names.map(options => stampOf(root, options)))).size).toBe(4)
  })

  test('tells names apart that hold line ends', async () => {
    const [one, other] = [planted({}), planted({})]
    const stamp = async (root: string, first: string, second: string) => {
      for (const name of [first, second]) {
        mkdirSync(join(root, name), { recursive: true })
        writeFileSync(join(root, name, 'empty.ts'), '')
      }
      return stampOf(root)
    }
    expect(await stamp(one, 'a\nb', 'c')).not.toBe(await stamp(other, 'a', 'b\nc'))
  })
})

describe('a look', () => {
  test('finds the changes that there were when it was made', async () => {
    const root = planted(FILES)
    const source = workTree({ root })
    const known = remember(await readAll(root, ['a.ts', 'd/b.ts', 'd/c.ts'], LATER))
    const look = await source.look!()
    const expected = await source.changes(known)
    writeFileSync(join(root, 'new.ts'), 'x')
    rmSync(join(root, 'd/c.ts'))
    expect(look.changes(known)).toEqual(expected)
    expect(look.documents).toBe(expected.unchanged + expected.touched.length)
    expect(look.changes(new Map()).touched).toEqual(['.gitignore', 'a.ts', 'binary.bin', 'd/b.ts', 'd/c.ts'])
  })

  test('knows whether what is read is what it saw', async () => {
    const root = planted(FILES)
    const look = await workTree({ root }).look!()
    const { touched } = look.changes(new Map())
    const later = await readAll(root, touched, LATER)
    expect(later.map(look.isOf)).toEqual(touched.map(() => true))
    // Read too soon after it was written: its stamp cannot be trusted.
    expect((await readAll(root, touched)).map(look.isOf)).toEqual(touched.map(() => false))
    appendFileSync(join(root, 'a.ts'), 'y')
    rmSync(join(root, 'd/b.ts'))
    const [changed, gone, same] = await readAll(root, ['a.ts', 'd/b.ts', 'd/c.ts'], LATER)
    expect([changed!, gone!, same!].map(look.isOf)).toEqual([false, false, true])
  })
})
