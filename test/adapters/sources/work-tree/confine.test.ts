/** No path that is handed in leads out of the root, however it is spelled and whatever links lie about. */

import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { confine } from '../../../../dist/adapters/sources/work-tree/confine.js'
import { QuarryError } from '../../../../dist/core/errors.js'
import { plant, temporary } from './tree.js'

const world = (): { root: string; home: string } => {
  const home = temporary()
  const root = join(home, 'repo')
  plant(home, {
    'repo/src/a.ts': 'x',
    'repo/a%20b.ts': 'x',
    'repo/back\\slash.ts': 'x',
    'repo/..hidden': 'x',
    'repo-evil/secret.ts': 'x',
    'outside.ts': 'x',
  })
  mkdirSync(join(root, 'deep/er'), { recursive: true })
  symlinkSync('../repo-evil', join(root, 'way-out'))
  symlinkSync('src', join(root, 'shortcut'))
  symlinkSync('src/a.ts', join(root, 'alias.ts'))
  symlinkSync('../../outside.ts', join(root, 'src/leak.ts'))
  symlinkSync('/nowhere/at/all', join(root, 'dangling'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync('..', join(root, 'deep/er/up'))
  return { root, home }
}

const refused = (root: string, path: string): string => {
  try {
    return `accepted as ${confine(root, path)}`
  } catch (error) {
    return error instanceof QuarryError ? error.code : String(error)
  }
}

describe('a path inside', () => {
  test('comes back as the index knows it', () => {
    const { root, home } = world()
    expect(confine(root, 'src/a.ts')).toBe('src/a.ts')
    expect(confine(root, join(root, 'src/a.ts'))).toBe('src/a.ts')
    expect(confine(root, './src/../src//a.ts')).toBe('src/a.ts')
    expect(confine(root, 'alias.ts')).toBe('src/a.ts')
    expect(confine(root, 'shortcut/a.ts')).toBe('src/a.ts')
    expect(confine(root, '.')).toBe('')
    expect(confine(root, '..hidden')).toBe('..hidden')
    expect(confine(root, 'a%20b.ts')).toBe('a%20b.ts')
    expect(confine(root, 'back\\slash.ts')).toBe('back\\slash.ts')
    symlinkSync('repo', join(home, 'linked-root'))
    expect(confine(join(home, 'linked-root'), 'src/a.ts')).toBe('src/a.ts')
  })

  test('need not exist any more', () => {
    const { root } = world()
    expect(confine(root, 'src/deleted/long/ago.ts')).toBe('src/deleted/long/ago.ts')
    expect(confine(root, 'shortcut/deleted.ts')).toBe('src/deleted.ts')
  })
})

describe('refused with BAD_PATH', () => {
  test.each([
    ['a climb', '../outside.ts'],
    ['a climb in the middle', 'src/../../outside.ts'],
    ['an absolute path', '/etc/passwd'],
    ['a sibling with the same beginning', '../repo-evil/secret.ts'],
    ['a link to a directory outside', 'way-out/secret.ts'],
    ['a link to a directory outside, file missing', 'way-out/not-there.ts'],
    ['a link to a file outside', 'src/leak.ts'],
    ['a link that leads nowhere', 'dangling'],
    ['a link that leads to itself', 'loop'],
    ['NUL', 'src/a.ts\0.png'],
    ['an empty path', ''],
    ['a path that is too long', 'a/'.repeat(3000)],
    ['a name that is too long', 'a'.repeat(300)],
    ['a lone surrogate', 'src/\ud800'],
    ['URL encoding', '%2e%2e/outside.ts'],
    ['URL encoding of the slash', '..%2foutside.ts'],
    ['URL encoding, twice', '%252e%252e%252foutside.ts'],
    ['an encoded NUL', 'src/a.ts%00'],
    ['backslashes', '..\\outside.ts'],
    ['a drive', 'C:\\Windows\\win.ini'],
    ['a share', '\\\\server\\share'],
    ['a directory below a file', 'src/a.ts/b'],
  ])('%s', (_, path) => {
    expect(refused(world().root, path)).toBe('BAD_PATH')
  })

  test('the sibling by its absolute path, and a root that is not there', () => {
    const { root, home } = world()
    expect(refused(root, join(home, 'repo-evil/secret.ts'))).toBe('BAD_PATH')
    expect(refused(root, `${root}-evil/secret.ts`)).toBe('BAD_PATH')
    expect(refused(join(home, 'nothing'), 'a.ts')).toBe('BAD_PATH')
  })
})

test('whatever is put together from such parts, the result lies below the root for the file system too', () => {
  const { root, home } = world()
  const part = fc.constantFrom(
    '..',
    '.',
    '',
    'src',
    'a.ts',
    'way-out',
    'shortcut',
    'secret.ts',
    'leak.ts',
    'deep',
    'er',
    'up',
    'repo',
    'repo-evil',
    'dangling',
    'loop',
    '%2e%2e',
    '%2f',
    '..\\',
    '\0',
    root,
    home,
    'outside.ts',
    'new',
  ) // prettier-ignore
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('/', '//', '\\', '%2f'), (parts, joint) => {
      const path = parts.join(joint)
      let below: string
      try {
        below = confine(root, path)
      } catch (error) {
        expect(error).toMatchObject({ code: 'BAD_PATH' })
        return
      }
      let real: string
      try {
        real = realpathSync(resolve(root, path))
      } catch {
        return // nothing there: nothing to leak
      }
      expect(join(root, below)).toBe(real)
      expect(relative(root, real).split('/')[0]).not.toBe('..')
    }),
    { numRuns: 10_000 },
  )
})
