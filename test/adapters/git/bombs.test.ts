/** Histories that are small on disk and large in memory, and the limits that keep them out. */

import { chmodSync, closeSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { blame } from '../../../dist/adapters/git/blame.js'
import { fileAt } from '../../../dist/adapters/git/file-at.js'
import { readCommits } from '../../../dist/adapters/git/read-commits.js'
import { type FixtureRepository, gitRepository, temporaryDirectory } from '../../fixtures/git-repository.js'
import { endless, open, readAll } from './open.js'

const { PATH } = process.env
afterEach(() => {
  process.env.PATH = PATH
})

/** From here on git has this much memory and dies if it wants more. */
const limitGit = (kilobytes: number): void => {
  const directory = temporaryDirectory()
  const path = join(directory, 'git')
  writeFileSync(path, `#!/bin/sh\nulimit -v ${kilobytes}\nPATH='${PATH}' exec git "$@"\n`)
  chmodSync(path, 0o755)
  process.env.PATH = `${directory}:${PATH}`
}

const zeros = (repository: FixtureRepository, bytes: number, tail = ''): string => {
  const path = join(repository.work, 'zeros.tmp')
  const descriptor = openSync(path, 'w')
  ftruncateSync(descriptor, bytes)
  closeSync(descriptor)
  if (tail !== '') writeFileSync(path, tail, { flag: 'a' })
  const streaming = ['-c', 'core.bigFileThreshold=1m', '-c', 'pack.compression=1', '-c', 'core.compression=1']
  const id = repository.git(...streaming, 'hash-object', '-w', path)
  rmSync(path)
  return id
}

const commitBlobs = (
  repository: FixtureRepository,
  blobs: Readonly<Record<string, string>>,
  parent?: string,
): string => {
  const list = Object.entries(blobs).map(([name, id]) => `100644 blob ${id}\t${name}\n`)
  const tree = repository.pipe(list.join(''), 'mktree')
  const sha = repository.git(
    'commit-tree',
    '-m',
    'blobs',
    ...(parent === undefined ? [] : ['-p', parent]),
    tree,
  )
  repository.git('update-ref', 'refs/heads/main', sha)
  return sha
}

describe('bombs', () => {
  it('reads a history with a gigabyte of zeros in little memory', async () => {
    const repository = gitRepository()
    const small = repository.pipe('text\n', 'hash-object', '-w', '--stdin')
    const bomb = zeros(repository, 1 << 30)
    const one = commitBlobs(repository, { small, bomb })
    const changed = repository.pipe('more text\n', 'hash-object', '-w', '--stdin')
    const two = commitBlobs(repository, { small: changed, moved: bomb }, one)
    limitGit(300_000)
    const before = process.memoryUsage().rss
    const opened = await open(repository.work)
    const { documents, skipped } = await readAll(opened)
    expect(skipped).toEqual([])
    expect(documents.map(document => document.path).sort()).toEqual([one, two].sort())
    const first = documents.find(document => document.path === one)!
    expect(first.omitted).toEqual([{ path: 'bomb', reason: 'too-large', detail: '1073741824 bytes' }])
    expect(first.text).toContain('+text')
    expect(documents.find(document => document.path === two)!.text).toContain('rename to moved')
    expect(await fileAt(opened, one, 'bomb')).toBeNull()
    await expect(blame(opened, { rev: one, path: 'bomb' })).rejects.toMatchObject({ code: 'BAD_PATH' })
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it('does not look for renames among bombs', async () => {
    const repository = gitRepository()
    const text = repository.pipe('text\n', 'hash-object', '-w', '--stdin')
    const one = commitBlobs(repository, { before: zeros(repository, 1 << 28), text })
    const other = repository.pipe('other\n', 'hash-object', '-w', '--stdin')
    const two = commitBlobs(repository, { after: zeros(repository, 1 << 28, 'x'), text: other }, one)
    limitGit(600_000)
    const { documents, skipped } = await readAll(repository.work)
    expect(skipped).toEqual([])
    const second = documents.find(document => document.path === two)!
    expect(second.omitted).toMatchObject([
      { path: 'after', reason: 'too-large' },
      { path: 'before', reason: 'too-large' },
    ])
    expect(second.text).toContain('+other')
  })

  it('lets go of a diff of 100 MB, by name, and keeps the rest of the commit', async () => {
    const repository = gitRepository()
    // Below what git takes for text, above what a reader wants; and more of them than fit into one commit.
    const large = Object.fromEntries(
      Array.from({ length: 58 }, (_, index) => [`large-${index}.txt`, `line ${index}\n`.repeat(200_000)]),
    )
    const middling = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`middling-${index}.txt`, `line ${index}\n`.repeat(25_000)]),
    )
    const sha = repository.commit('100 MB', { ...large, ...middling, 'a.txt': 'small\n', 'z.txt': 'small\n' })
    const after = repository.commit('after', { 'a.txt': 'smaller\n' })
    const { documents } = await readAll(repository.work)
    expect(documents.map(document => document.path)).toEqual([after, sha])
    const { text, omitted } = documents[1]!
    expect(text.length).toBeLessThanOrEqual(4 << 20)
    expect(text).toContain('+++ b/a.txt')
    expect(text).toContain('+++ b/z.txt')
    const kept = text.match(/^\+\+\+ /gm)!.length
    expect(kept + omitted!.length).toBe(90)
    expect(omitted!.filter(skip => skip.path.startsWith('large'))).toHaveLength(58)
    expect(new Set(omitted!.map(skip => skip.reason))).toEqual(new Set(['too-large']))
  })

  it('takes a commit of ten thousand files whole, and a list of what is left out that ends', async () => {
    const repository = gitRepository()
    const files = Array.from(
      { length: 10_000 },
      (_, index) => `M 100644 inline d${index % 100}/${index}.txt\ndata 5\ntext\n\n`,
    )
    const locks = Array.from(
      { length: 3000 },
      (_, index) => `M 100644 inline l/${index}.lock\ndata 5\ntext\n\n`,
    )
    const head = 'commit refs/heads/main\ncommitter A <a@b> 1600000000 +0000\ndata 4\nmany\n'
    repository.pipe(`${head}${files.join('')}${locks.join('')}`, 'fast-import', '--quiet')
    const { documents } = await readAll(repository.work)
    expect(documents[0]!.text.match(/^diff --git /gm)).toHaveLength(10_000)
    expect(documents[0]!.omitted).toHaveLength(1001)
    expect(documents[0]!.omitted!.at(-1)).toMatchObject({ path: '*', detail: '2000 more files' })
  })

  /** Trees of ten trees that are all the same; nothing is upon them, since to remove them would be as endless. */
  const treeOfTrees = (levels: number) => {
    const repository = gitRepository()
    const before = repository.commit('before', { 'a.txt': 'text\n' })
    let object = repository.git('rev-parse', 'HEAD:a.txt')
    for (let level = 0; level < levels; level++) {
      const entry = level === 0 ? `100644 blob ${object}` : `040000 tree ${object}`
      const names = Array.from({ length: 10 }, (_, index) => `${entry}\tn${index}\n`)
      object = repository.pipe(names.join(''), 'mktree')
    }
    const bomb = repository.git('commit-tree', '-m', 'bomb', '-p', before, object)
    repository.git('update-ref', 'refs/heads/bomb', bomb)
    const others = ['one', 'two', 'three'].map(name => {
      const tree = repository.pipe(
        `040000 tree ${repository.git('rev-parse', `${before}^{tree}`)}\t${name}\n`,
        'mktree',
      )
      const sha = repository.git('commit-tree', '-m', name, '-p', before, tree)
      repository.git('update-ref', `refs/heads/${name}`, sha)
      return sha
    })
    return { repository, bomb, all: [before, bomb, ...others] }
  }

  it('takes as many files of a commit as anyone wants, and goes on behind it', async () => {
    const { repository, bomb, all } = treeOfTrees(4)
    const opened = await open(repository.work)
    const limits = {
      maxFileBytes: 1000,
      maxCommitBytes: 10_000,
      maxFiles: 2000,
      judgePath: () => undefined,
      below: '',
    }
    const found: { sha: string; last: unknown }[] = []
    for await (const commit of readCommits(opened, all, limits)) {
      if ('reason' in commit) throw new Error(commit.detail)
      found.push({ sha: commit.fields[0]!.toString(), last: commit.omitted.at(-1) })
    }
    const last = { path: '*', reason: 'too-large', detail: 'more than 2000 files' }
    expect(found).toEqual(all.map(sha => ({ sha, last: sha === bomb ? last : undefined })))
  })

  it('keeps what a commit says when its files take more memory than there is', {
    timeout: 240_000,
  }, async () => {
    const { repository, bomb, all } = treeOfTrees(10)
    const { documents, skipped } = await readAll(repository.work)
    expect(skipped).toEqual([])
    expect(documents.map(document => document.path).sort()).toEqual(all.sort())
    const { omitted, commit, text } = documents.find(document => document.path === bomb)!
    expect([commit!.message, commit!.author, text]).toEqual(['bomb', 'Ada Lovelace', ''])
    expect(omitted).toMatchObject([{ path: '*', reason: 'too-large' }])
  })

  it('goes into directories a thousand levels deep', async () => {
    const repository = gitRepository()
    const path = `${'d/'.repeat(1000)}f.txt`
    const head = 'commit refs/heads/main\ncommitter A <a@b> 1600000000 +0000\ndata 4\ndeep\n'
    repository.pipe(`${head}M 100644 inline ${path}\ndata 5\ntext\n\n`, 'fast-import', '--quiet')
    const { documents, skipped } = await readAll(repository.work)
    expect(documents.length + skipped.length).toBe(1)
    if (documents[0]) expect(documents[0].text).toContain('+text')
  })

  it('leaves a commit that git broods over too long, and goes on', async () => {
    const repository = gitRepository()
    const shas = ['1', '2', '3'].map(text => repository.commit(text, { a: text }))
    const opened = await open(repository.work)
    let calls = 0
    const brooding = {
      ...opened,
      stream: (args: readonly string[], options: Parameters<typeof opened.stream>[1]) =>
        // The first time git waits for a question that never comes.
        calls++ === 0
          ? opened.stream(['cat-file', '--batch'], { input: endless() })
          : opened.stream(args, options),
    }
    const limits = {
      maxFileBytes: 1e6,
      maxCommitBytes: 1e6,
      judgePath: () => undefined,
      below: '',
      stallMilliseconds: 200,
    }
    const results: string[] = []
    for await (const item of readCommits(brooding, shas, limits))
      results.push('reason' in item ? `${item.path} ${item.detail}` : item.fields[0]!.toString())
    expect(results[0]).toBe(shas[0])
    expect(results).toHaveLength(3)
  })
})
