import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listRefs, resolveRevision } from '../../../dist/adapters/git/revision.js'
import { gitRepository, temporaryDirectory } from '../../fixtures/git-repository.js'
import { open } from './open.js'

describe('refs', () => {
  it('reads loose and packed refs, loose ones first, as git does', async () => {
    const repository = gitRepository()
    const { git } = repository
    const one = repository.commit('one', { a: '1' })
    git('tag', 'v0')
    git('tag', '-a', '-m', 'annotated', 'v1')
    git('branch', 'feature/deep/er')
    git('update-ref', 'refs/remotes/origin/main', one)
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
    git('pack-refs', '--all')
    repository.commit('two', { a: '2' })
    const expected = git('for-each-ref', '--format=%(refname) %(objectname)').split('\n').sort()
    const refs = await listRefs(await open(repository.work))
    expect(refs.map(ref => `${ref.name} ${ref.sha}`)).toEqual(expected)
    expect(refs.find(ref => ref.name === 'refs/tags/v1')?.peeled).toBe(one)
  })

  it('passes over refs that lie, climb, loop or lead outside', async () => {
    const repository = gitRepository()
    const sha = repository.commit('one', { a: '1' })
    const heads = join(repository.gitDirectory, 'refs', 'heads')
    const outside = join(temporaryDirectory(), 'outside')
    writeFileSync(outside, `${sha}\n`)
    writeFileSync(join(heads, 'garbage'), '--output=/tmp/x\n')
    writeFileSync(join(heads, 'short'), 'abc\n')
    writeFileSync(join(heads, 'climbing'), 'ref: ../../../outside\n')
    writeFileSync(join(heads, 'loop'), 'ref: refs/heads/loop\n')
    writeFileSync(join(heads, '--upload-pack=x'), `${sha}\n`)
    writeFileSync(join(heads, 'x.lock'), `${sha}\n`)
    writeFileSync(join(heads, 'new\nline'), `${sha}\n`)
    symlinkSync(outside, join(heads, 'link'))
    symlinkSync('/', join(heads, 'root'))
    mkdirSync(join(heads, ...Array.from({ length: 60 }, () => 'd')), { recursive: true })
    writeFileSync(
      join(repository.gitDirectory, 'packed-refs'),
      `# pack-refs with: peeled\n${sha} refs/heads/../../x\n${sha} HEAD\n${sha.slice(1)} refs/heads/odd\nnonsense\n^${sha}\n`,
    )
    const refs = await listRefs(await open(repository.work))
    expect(refs.map(ref => ref.name)).toEqual(['refs/heads/--upload-pack=x', 'refs/heads/main'])
  })

  it('resolves what people call commits', async () => {
    const repository = gitRepository()
    const { git } = repository
    const [one, two, three] = ['1', '2', '3'].map(text => repository.commit(text, { a: text }))
    git('tag', '-a', '-m', 'annotated', 'v1', one!)
    git('tag', '-a', '-m', 'of a tag', 'v1-again', 'v1')
    git('branch', 'feature/x', two!)
    git('update-ref', 'refs/remotes/origin/dev', two!)
    git('branch', 'cafe', one!)
    const opened = await open(repository.work)
    const expected: Record<string, string> = {
      HEAD: three!,
      '@': three!,
      main: three!,
      'refs/heads/main': three!,
      'heads/main': three!,
      v1: one!,
      'v1-again': one!,
      'feature/x': two!,
      'origin/dev': two!,
      cafe: one!,
      'HEAD~': two!,
      'HEAD^': two!,
      'HEAD~2': one!,
      'main^~1': one!,
      [two!]: two!,
      [two!.slice(0, 9)]: two!,
      [two!.slice(0, 9).toUpperCase()]: two!,
      [`${three!.slice(0, 12)}~1`]: two!,
    }
    for (const [text, sha] of Object.entries(expected)) expect(await resolveRevision(opened, text)).toBe(sha)
  })

  it.each([
    '',
    '--output=x',
    '-c core.pager=touch canary',
    '$(touch canary)',
    'main; touch canary',
    'main\n--output=x',
    'main\0',
    'main..v1',
    'main...v1',
    '@{upstream}',
    'HEAD@{1}',
    'HEAD:a',
    ':/message',
    'HEAD^{tree}',
    '^main',
    '~1',
    'main~x',
    'HEAD~99',
    'nowhere',
    'ma*n',
    'deadbeef',
    '0'.repeat(40),
    '\ud800',
    'x'.repeat(5000),
  ])('refuses %j', async text => {
    const repository = gitRepository()
    repository.commit('one', { a: '1' })
    await expect(resolveRevision(await open(repository.work), text)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  })

  it('gives a commit or BAD_INPUT for whatever is typed', async () => {
    const repository = gitRepository()
    const sha = repository.commit('one', { a: '1' })
    const opened = await open(repository.work)
    const calls: string[][] = []
    const watched = {
      ...opened,
      run: (args: readonly string[], options?: Parameters<typeof opened.run>[1]) => {
        calls.push([...args, String(options?.input)])
        return opened.run(args, options)
      },
    }
    const pieces = fc.constantFrom(
      'HEAD',
      'main',
      '-',
      '--',
      '~',
      '^',
      '{',
      '}',
      '@',
      ':',
      '..',
      '\n',
      ' ',
      sha,
      sha.slice(0, 7),
      '1',
    )
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 4 }).map(list => list.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async typed => {
        const result = await resolveRevision(watched, typed).catch(error => error.code)
        expect([sha, 'BAD_INPUT']).toContain(result)
      }),
      { numRuns: 300 },
    )
    for (const [command, option, input] of calls) {
      expect([command, option]).toEqual(['cat-file', '--batch-check'])
      expect(input).toMatch(/^[0-9a-f]{4,64}[~^\d]*\^\{commit\}\n$/)
    }
  })
})
