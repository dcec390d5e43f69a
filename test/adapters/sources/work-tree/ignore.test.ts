/** Which files are ignored: the same as for git, whatever stands in the ignore files. */

import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { git, gitFiles, plant, planted, survey, temporary } from './tree.js'

const taken = async (files: Record<string, string>, ignore: string[] = []): Promise<readonly string[]> =>
  (await survey(planted(files), { ignore })).touched.filter(path => !path.endsWith('ignore'))

describe('ignore files', () => {
  test('hold for their directory and below, nearest first', async () => {
    const files = { 'a.log': 'x', 'b/a.log': 'x', 'b/c/a.log': 'x', 'b/c/d/a.log': 'x' }
    expect(await taken({ ...files, '.gitignore': '*.log', 'b/c/.gitignore': '!*.log' })).toEqual([
      'b/c/a.log',
      'b/c/d/a.log',
    ])
    expect(await taken({ ...files, 'b/.gitignore': '/a.log' })).toEqual(['a.log', 'b/c/a.log', 'b/c/d/a.log'])
  })

  test('cannot take back a file below an excluded directory', async () => {
    expect(await taken({ '.gitignore': 'out\n!out/keep.ts', 'out/keep.ts': 'x', 'in.ts': 'x' })).toEqual([
      'in.ts',
    ])
    expect(await taken({ '.gitignore': 'out/*\n!out/keep.ts', 'out/keep.ts': 'x', 'out/a.ts': 'x' })).toEqual(
      ['out/keep.ts'],
    )
  })

  test('a directory taken back by a nearer file is open again', async () => {
    expect(await taken({ '.gitignore': 'b', 'a/.gitignore': '!b', 'a/b/c.ts': 'x', 'b/c.ts': 'x' })).toEqual([
      'a/b/c.ts',
    ])
  })

  test('blanks, escapes, comments and letter case are read as git reads them', async () => {
    const files = { '#a': 'x', '!b': 'x', 'c ': 'x', c: 'x', 'D.ts': 'x', 'd.ts': 'x', 'e.ts': 'x' }
    expect(await taken({ ...files, '.gitignore': '\\#a\n\\!b\nc\\ \n# e.ts\nd.ts  \r\n\uFEFFe.ts' })).toEqual(
      ['D.ts', 'c', 'e.ts'],
    )
  })

  test('.quarryignore follows the .gitignore beside it', async () => {
    const files = { 'a.ts': 'x', 'b.ts': 'x', 'gen/c.ts': 'x' }
    expect(await taken({ ...files, '.gitignore': 'gen/', '.quarryignore': '!gen/\na.ts' })).toEqual([
      'b.ts',
      'gen/c.ts',
    ])
  })

  test('the ignore setting is stronger than every file', async () => {
    const files = { '.gitignore': 'gen/', 'gen/c.ts': 'x', 'a.ts': 'x', 'd/a.ts': 'x' }
    expect(await taken(files, ['a.ts', '!gen'])).toEqual(['gen/c.ts'])
    expect(await taken(files, ['/a.ts'])).toEqual(['d/a.ts'])
  })

  test('info/exclude counts, also for a root below the top of a repository and for worktrees', async () => {
    const root = planted({ 'a.ts': 'x', 'b.ts': 'x', 'sub/a.ts': 'x', 'sub/b.ts': 'x', 'sub/in/c.ts': 'x' })
    git(root, 'init', '-q')
    plant(root, { '.git/info/exclude': 'a.ts\nsub/in/c.ts\n', '.gitignore': '/sub/b.ts' })
    expect((await survey(root)).touched).toEqual(['.gitignore', 'b.ts'])
    expect((await survey(join(root, 'sub'))).touched).toEqual([])
    plant(root, { '.gitignore': '' })
    expect((await survey(join(root, 'sub'))).touched).toEqual(['b.ts'])

    git(root, 'add', '-A', '-f')
    git(root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'x')
    const tree = join(temporary(), 'tree')
    git(root, 'worktree', 'add', '-q', tree)
    expect((await survey(tree)).touched).toEqual(['b.ts', 'sub/b.ts'])
  })

  test.each([
    ['blanks', ' '],
    ['backslashes', '\\'],
    ['brackets', '['],
    ['stars', '*'],
    ['stars and letters', '*a'],
    ['slashes', '/'],
    ['globstars', '**/'],
    ['lines', 'a*b*c?\n'],
    ['lines of paths', 'a/*/b*c?\n'],
  ])('a megabyte of %s costs little time', { timeout: 30_000 }, async (_, piece) => {
    const files = Object.fromEntries(
      Array.from({ length: 50 }, (_, number) => [`a${'a'.repeat(200)}${number}.ts`, 'x']),
    )
    const text = piece.repeat(Math.floor(1_000_000 / piece.length))
    const root = planted({
      ...files,
      '.gitignore': `${text}x`,
      'd/.gitignore': text.replace(/(.{4000})/g, '$1\n'),
    })
    const start = performance.now()
    await survey(root)
    expect(performance.now() - start).toBeLessThan(15_000)
  })

  test('a link or a pipe in place of an ignore file is not followed', async () => {
    const root = planted({ rules: 'a.ts', 'a.ts': 'x' })
    symlinkSync('rules', join(root, '.gitignore'))
    expect((await survey(root)).touched).toEqual(['a.ts', 'rules'])
  })
})

/** Trees of few names and ignore files of few words, so that patterns meet paths. */
const name = fc.constantFrom('a', 'b', 'ab', 'a.c', 'b.c', '.a', 'x y', 'a.b.c', 'B')
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map(parts => parts.join('/'))
const segment = fc.oneof(
  { weight: 6, arbitrary: name },
  {
    weight: 2,
    arbitrary: fc.constantFrom('*', '*.c', 'a*', '*b*', '?', 'a?', '[ab]', '[!a]', '*.[a-c]', 'a.*.c', '.*'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '**',
      '\\a',
      'a\\.c',
      '[[:alpha:]]*',
      '\\[ab]',
      '*.c*',
      '[a',
      'a]',
      '[a/a]',
      '',
    ),
  },
)
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '!', '#', '\\!'),
    fc.constantFrom('', '', '/', '**/'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**', '/*', ' ', '\\ ', '\r', '\t'),
  )
  .map(([sign, start, segments, end]) => sign + start + segments.join('/') + end)
const ignoreFile = fc.array(pattern, { minLength: 1, maxLength: 5 }).map(lines => lines.join('\n'))
const tree = fc.record({
  files: fc.array(path, { minLength: 1, maxLength: 14 }),
  ignores: fc.array(fc.tuple(fc.oneof(fc.constant(''), path), ignoreFile), { minLength: 1, maxLength: 3 }),
})

test('the walk takes the files that git takes, for any tree and any ignore files', {
  timeout: 240_000,
}, async () => {
  const home = temporary()
  git(home, 'init', '-q')
  let number = 0
  await fc.assert(
    fc.asyncProperty(tree, async ({ files, ignores }) => {
      const root = join(home, `tree${number++}`)
      mkdirSync(root)
      // A name may be wanted as a file and as a directory: the first one stays.
      for (const [at, content] of [
        ...ignores.map(([directory, text]) => [join(directory, '.gitignore'), text] as const),
        ...files.map(file => [file, 'x'] as const),
      ]) {
        try {
          plant(root, { [at]: content })
        } catch {}
      }
      const { touched, skipped } = await survey(root)
      expect([...touched, ...Object.keys(skipped)].sort()).toEqual(gitFiles(root))
      rmSync(root, { recursive: true })
    }),
    { numRuns: 200 },
  )
})
