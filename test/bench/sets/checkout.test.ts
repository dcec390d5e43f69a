import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkout } from '../../../build/bench/sets/checkout.js'
import { readObjects } from '../../../build/bench/sets/git.js'
import { fixtureRepository, temporaryDirectory, writeTree } from '../fixture-repository.js'

const filesOf = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(entry => !entry.isDirectory())
      .map(entry => join(entry.parentPath, entry.name))
      .sort()
      .map(path => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]),
  )

/** Two commits that differ in every way two trees can differ. */
const twoCommits = () => {
  const base = temporaryDirectory()
  const repository = fixtureRepository(join(base, 'origin'))
  writeTree(repository.work, {
    'kept.ts': 'kept',
    'changed.ts': 'before',
    'deep/only/gone.ts': 'gone',
    'file-then-folder': 'a file',
    'folder-then-file/inner.ts': 'inner',
    'old name.ts': 'moved',
  })
  const first = repository.commit('2020-01-01T00:00:00Z')
  for (const path of ['deep', 'file-then-folder', 'folder-then-file', 'old name.ts']) {
    rmSync(join(repository.work, path), { recursive: true })
  }
  writeTree(repository.work, {
    'changed.ts': 'after',
    'file-then-folder/inner.ts': 'inner',
    'folder-then-file': 'a file',
    'nëw name.ts': 'moved',
    'added/new.ts': 'new',
  })
  const second = repository.commit('2020-02-01T00:00:00Z')
  return { repository, first, second, directory: join(base, 'checkout') }
}

const treeOfSecond = {
  'added/new.ts': 'new',
  'changed.ts': 'after',
  'file-then-folder/inner.ts': 'inner',
  'folder-then-file': 'a file',
  'kept.ts': 'kept',
  'nëw name.ts': 'moved',
}

afterEach(() => vi.unstubAllEnvs())

describe('a whole checkout', () => {
  it('writes every file, also what archives leave out, and byte for byte', async () => {
    const base = temporaryDirectory()
    const repository = fixtureRepository(join(base, 'origin'))
    const large = Buffer.alloc(3_000_000, 'line with an end\n')
    writeTree(repository.work, {
      '.gitattributes': 'tests export-ignore\n*.txt text eol=crlf\n',
      'tests/a test\twith a tab.ts': 'test',
      'unix.txt': 'one\ntwo\n',
      'empty.ts': '',
      'bytes.bin': Buffer.from([0, 10, 255, 13, 10]),
      'large.log': large,
    })
    const commit = repository.commit('2020-01-01T00:00:00Z')
    const directory = join(base, 'checkout')
    await checkout(repository.gitDirectory, directory, commit)
    expect(Object.keys(filesOf(directory))).toEqual([
      '.gitattributes',
      'bytes.bin',
      'empty.ts',
      'large.log',
      'tests/a test\twith a tab.ts',
      'unix.txt',
    ])
    expect(readFileSync(join(directory, 'bytes.bin'))).toEqual(Buffer.from([0, 10, 255, 13, 10]))
    expect(readFileSync(join(directory, 'large.log')).equals(large)).toBe(true)
    expect(readFileSync(join(directory, 'unix.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  it('writes neither links nor submodules', async () => {
    const base = temporaryDirectory()
    const repository = fixtureRepository(join(base, 'origin'))
    writeTree(repository.work, { 'real.ts': 'real' })
    symlinkSync('/etc', join(repository.work, 'outside'))
    repository.commit('2020-01-01T00:00:00Z')
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor`)
    repository.git('commit', '--quiet', '--message', 'With a submodule')
    const directory = join(base, 'checkout')
    await checkout(repository.gitDirectory, directory, repository.git('rev-parse', 'HEAD'))
    expect(filesOf(directory)).toEqual({ 'real.ts': 'real' })
  })

  it('does not leave the directory for a tree that leads out of it', async () => {
    const base = temporaryDirectory()
    const repository = fixtureRepository(join(base, 'origin'))
    writeTree(repository.work, { 'good.ts': 'good' })
    repository.commit('2020-01-01T00:00:00Z')
    const blob = repository.git('rev-parse', 'HEAD:good.ts')
    const store = (entries: Buffer): string =>
      repository.pipe(entries, 'hash-object', '-t', 'tree', '-w', '--literally', '--stdin')
    const entry = (mode: string, name: string, object: string): Buffer =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')])
    const inner = store(entry('100644', 'escaped.ts', blob))
    const tree = store(Buffer.concat([entry('40000', '..', inner), entry('100644', 'good.ts', blob)]))
    const commit = repository.git('commit-tree', tree, '-m', 'Leads out')
    const directory = join(base, 'inside', 'checkout')
    await checkout(repository.gitDirectory, directory, commit)
    expect(filesOf(directory)).toEqual({ 'good.ts': 'good' })
    expect(existsSync(join(base, 'inside', 'escaped.ts'))).toBe(false)
  })

  it('is deaf to the git settings of its surroundings', async () => {
    const { repository, second, directory } = twoCommits()
    vi.stubEnv('GIT_DIR', '/nowhere')
    vi.stubEnv('GIT_OBJECT_DIRECTORY', '/nowhere')
    vi.stubEnv('GIT_CONFIG_COUNT', '1')
    vi.stubEnv('GIT_CONFIG_KEY_0', 'core.abbrev')
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'nonsense')
    await checkout(repository.gitDirectory, directory, second)
    expect(filesOf(directory)).toEqual(treeOfSecond)
  })
})

describe('a move to another commit', () => {
  it('arrives at the same files as a whole checkout, forwards and back', async () => {
    const { repository, first, second, directory } = twoCommits()
    await checkout(repository.gitDirectory, directory, first)
    const before = filesOf(directory)
    await checkout(repository.gitDirectory, directory, second)
    expect(filesOf(directory)).toEqual(treeOfSecond)
    expect(existsSync(join(directory, 'deep'))).toBe(false)
    await checkout(repository.gitDirectory, directory, first)
    expect(filesOf(directory)).toEqual(before)
  })

  it('does not touch what stays the same', async () => {
    const { repository, first, second, directory } = twoCommits()
    await checkout(repository.gitDirectory, directory, first)
    const stamp = () => {
      const { ino, mtimeMs, ctimeMs } = statSync(join(directory, 'kept.ts'))
      return { ino, mtimeMs, ctimeMs }
    }
    const before = stamp()
    await checkout(repository.gitDirectory, directory, second)
    expect(stamp()).toEqual(before)
  })

  it('does nothing when the directory is there already', async () => {
    const { repository, second, directory } = twoCommits()
    await checkout(repository.gitDirectory, directory, second)
    await checkout('/no/such/repository', directory, second)
    expect(filesOf(directory)).toEqual(treeOfSecond)
  })

  it('starts from nothing when a move was cut short', async () => {
    const { repository, second, directory } = twoCommits()
    // What a killed move leaves behind: files, but no mark.
    writeTree(directory, { 'half.ts': 'half written', 'kept.ts': 'ke' })
    await checkout(repository.gitDirectory, directory, second)
    expect(filesOf(directory)).toEqual(treeOfSecond)
  })

  it('starts from nothing when the commit it stands on is unknown', async () => {
    const { repository, second, directory } = twoCommits()
    writeTree(directory, { 'stranger.ts': 'of another repository' })
    writeFileSync(`${directory}.tree`, JSON.stringify({ of: 'unknown' }))
    await checkout(repository.gitDirectory, directory, second)
    expect(filesOf(directory)).toEqual(treeOfSecond)
  })
})

describe('a repository that cannot answer', () => {
  it('reports what git said when there is no repository at all', async () => {
    const objects = readObjects(join(temporaryDirectory(), 'nowhere'), ['a'.repeat(40)])
    await expect(objects.next()).rejects.toThrow(/not a git repository/)
  })

  it('fails with the words of git when it lacks the commit, and recovers afterwards', async () => {
    const { repository, first, second, directory } = twoCommits()
    await checkout(repository.gitDirectory, directory, first)
    await expect(checkout(repository.gitDirectory, directory, 'e'.repeat(40))).rejects.toThrow(
      /git ls-tree: .*not a tree object/,
    )
    expect(filesOf(directory)).toMatchObject({ 'changed.ts': 'before' })
    await checkout(repository.gitDirectory, directory, second)
    expect(filesOf(directory)).toEqual(treeOfSecond)
  })

  it('names the file whose object is missing, and does not pass for complete', async () => {
    const { repository, second, directory } = twoCommits()
    const object = repository.git('rev-parse', `${second}:added/new.ts`)
    rmSync(join(repository.gitDirectory, 'objects', object.slice(0, 2), object.slice(2)))
    await expect(checkout(repository.gitDirectory, directory, second)).rejects.toThrow('added/new.ts')
    expect(existsSync(`${directory}.tree`)).toBe(false)
  })
})
