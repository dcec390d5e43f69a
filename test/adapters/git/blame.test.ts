import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blame, touching } from '../../../dist/adapters/git/blame.js'
import { commitDiff } from '../../../dist/adapters/git/commit-diff.js'
import { fileAt } from '../../../dist/adapters/git/file-at.js'
import { type FixtureRepository, gitRepository, temporaryDirectory } from '../../fixtures/git-repository.js'
import { endless, open } from './open.js'

/** The commit of each line, as `git blame` itself says. */
const blamedByGit = (repository: FixtureRepository, ...args: string[]): string[] =>
  repository
    .git('blame', '--line-porcelain', ...args)
    .split('\n')
    .flatMap(line => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? [])

const story = () => {
  const repository = gitRepository()
  const lines = Array.from(
    { length: 30 },
    (_, line) => `const value${line} = compute(${line}, "a rather long line")`,
  )
  const shas = [repository.commit('one', { 'src/old.ts': `${lines.join('\n')}\n` })]
  lines[4] = 'const value4 = compute(4, "changed")'
  shas.push(repository.commit('two', { 'src/old.ts': `${lines.join('\n')}\n` }))
  repository.git('mv', 'src/old.ts', 'src/new name.ts')
  lines[9] = `    ${lines[9]}`
  shas.push(repository.commit('rename and indent', { 'src/new name.ts': `${lines.join('\n')}\n` }))
  lines[4] = 'const value4 = compute(4, "changed again")'
  shas.push(repository.commit('four', { 'src/new name.ts': `${lines.join('\n')}\n` }))
  return { ...repository, shas, path: 'src/new name.ts' }
}

describe('blame', () => {
  it('says what git blame says, through renames, for ranges, and with white space ignored', async () => {
    const repository = story()
    const { shas, path } = repository
    const opened = await open(repository.work)
    const rev = shas[3]!
    const groups = await blame(opened, { rev, path })
    const byLine = groups.flatMap(group => Array.from({ length: group.count }, () => group.sha))
    expect(byLine).toEqual(blamedByGit(repository, '-M', '-C', rev, '--', path))
    expect(groups[0]).toMatchObject({
      sha: shas[0],
      originalPath: 'src/old.ts',
      originalLine: 1,
      finalLine: 1,
      count: 4,
      boundary: true,
    })
    expect(groups.find(group => group.sha === shas[3])).toMatchObject({
      finalLine: 5,
      count: 1,
      boundary: false,
      previous: { sha: shas[2], path },
    })
    const ranges = [
      { start: 4, end: 6 },
      { start: 10, end: 10 },
    ]
    const some = await blame(opened, { rev, path, ranges })
    expect(some.map(group => [group.finalLine, group.sha])).toEqual([
      [4, shas[0]],
      [5, shas[3]],
      [6, shas[0]],
      [10, shas[2]],
    ])
    const loose = await blame(opened, { rev, path, ranges: [{ start: 10, end: 10 }], ignoreWhitespace: true })
    expect(loose.map(group => group.sha)).toEqual([shas[0]])
    expect(
      (await blame(opened, { rev: shas[1]!, path: 'src/old.ts', ranges: [{ start: 5, end: 5 }] }))[0]?.sha,
    ).toBe(shas[1])
  })

  it('finds the commits that touched lines before, and the file and the diff of each', async () => {
    const repository = story()
    const { shas, path } = repository
    const opened = await open(repository.work)
    const request = { rev: shas[3]!, path, start: 5, end: 5, limit: 10 }
    expect(await touching(opened, request)).toEqual({ shas: [shas[3], shas[1], shas[0]], complete: true })
    expect((await touching(opened, { ...request, limit: 2 })).shas).toHaveLength(2)
    const brooding = { ...opened, stream: () => opened.stream(['cat-file', '--batch'], { input: endless() }) }
    expect(await touching(brooding, { ...request, timeoutMilliseconds: 100 })).toEqual({
      shas: [],
      complete: false,
    })
    expect((await fileAt(opened, shas[1]!, 'src/old.ts'))?.text).toContain('"changed")')
    expect(await fileAt(opened, shas[1]!, path)).toBeNull()
    expect(await fileAt(opened, shas[1]!, 'src')).toBeNull()
    expect(await fileAt(opened, shas[1]!, 'src/old.ts', { maxBytes: 10 })).toBeNull()
    const diff = await commitDiff(opened, shas[2]!)
    expect(diff).toMatchObject({ path: shas[2], commit: { message: 'rename and indent' } })
    expect(diff.text).toContain('rename to src/new name.ts')
  })

  it('shows a merge as what it brought to its first parent', async () => {
    const repository = gitRepository()
    repository.commit('one', { a: '1\n' })
    repository.git('checkout', '--quiet', '-b', 'side')
    repository.commit('side', { b: 'from the side\n' })
    repository.git('checkout', '--quiet', 'main')
    repository.commit('main', { c: 'from main\n' })
    repository.git('merge', '--quiet', '--no-ff', '-m', 'merge', 'side')
    const { text, commit } = await commitDiff(
      await open(repository.work),
      repository.git('rev-parse', 'HEAD'),
    )
    expect(commit?.message).toBe('merge')
    expect(text).toContain('+from the side')
    expect(text).not.toContain('from main')
  })

  it('tells what is wrong with a range, a file or a commit', async () => {
    const repository = story()
    const { shas, path } = repository
    const opened = await open(repository.work)
    const rev = shas[3]!
    await expect(blame(opened, { rev, path, ranges: [{ start: 40, end: 50 }] })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('has only 30 lines'),
    })
    await expect(touching(opened, { rev, path, start: 40, end: 50, limit: 5 })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    for (const [start, end] of [
      [0, 1],
      [2, 1],
      [1.5, 2],
      [Number.NaN, 2],
      [1, Number.POSITIVE_INFINITY],
    ] as const)
      await expect(blame(opened, { rev, path, ranges: [{ start, end }] })).rejects.toMatchObject({
        code: 'BAD_INPUT',
      })
    await expect(blame(opened, { rev, path: 'absent.ts' })).rejects.toMatchObject({ code: 'BAD_PATH' })
    for (const id of ['HEAD', '--output=x', rev.slice(0, 10), `${rev}\n`, ''])
      for (const ask of [
        () => blame(opened, { rev: id, path }),
        () => fileAt(opened, id, path),
        () => commitDiff(opened, id),
      ])
        await expect(ask()).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(commitDiff(opened, '0'.repeat(40))).rejects.toMatchObject({ code: 'GIT_FAILED' })
  })

  it.each([
    '--output=canary',
    '-Lx',
    '../outside',
    'a/../../b',
    '/etc/passwd',
    'C:\\x',
    '\\\\host\\share',
    'a\\..\\..\\b',
    ':(glob)**',
    ':!x',
    '.git/config',
    'a/.GIT/config',
    'a\0b',
    '\ud800',
    './a',
    'a//b',
    'a/',
    '',
    'x'.repeat(5000),
  ])('refuses the path %j before git is asked', async path => {
    const repository = gitRepository()
    const rev = repository.commit('one', { a: '1' })
    const opened = await open(repository.work)
    const silent = {
      ...opened,
      run: () => Promise.reject(new Error('git was asked')),
      stream: () => {
        throw new Error('git was asked')
      },
    }
    await expect(blame(silent, { rev, path })).rejects.toMatchObject({ code: 'BAD_PATH' })
    await expect(fileAt(silent, rev, path)).rejects.toMatchObject({ code: 'BAD_PATH' })
    await expect(touching(silent, { rev, path, start: 1, end: 1, limit: 1 })).rejects.toMatchObject({
      code: 'BAD_PATH',
    })
    expect(existsSync(join(repository.work, 'canary'))).toBe(false)
  })

  it('stops where a shallow clone stops, and says so', async () => {
    const repository = story()
    const clone = join(temporaryDirectory(), 'clone')
    repository.git('clone', '--quiet', '--depth=2', `file://${repository.work}`, clone)
    const groups = await blame(await open(clone), { rev: repository.shas[3]!, path: repository.path })
    expect(groups.find(group => group.finalLine === 1)).toMatchObject({
      sha: repository.shas[2],
      boundary: true,
    })
  })

  it('reads a file with a name of every odd kind', async () => {
    const repository = gitRepository()
    const names = ['new\nline', 'quo"te', 'é', 'ab:cd', 'star*', '[x]', 'sp ace']
    const rev = repository.commit('odd', Object.fromEntries(names.map(name => [name, `${name}\n`])))
    const opened = await open(repository.work)
    for (const path of names) {
      expect((await fileAt(opened, rev, path))?.text).toBe(`${path}\n`)
      expect(await blame(opened, { rev, path })).toMatchObject([{ sha: rev, originalPath: path }])
      if (!path.includes('\n'))
        expect((await touching(opened, { rev, path, start: 1, end: 1, limit: 5 })).shas).toEqual([rev])
    }
  })
})
