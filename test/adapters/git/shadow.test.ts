import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findRepository } from '../../../dist/adapters/git/find-repository.js'
import { type FixtureRepository, gitRepository, temporaryDirectory } from '../../fixtures/git-repository.js'
import { open, readAll } from './open.js'

const pathsIn = async (...args: Parameters<typeof readAll>) =>
  (await readAll(...args)).documents.map(document => document.path)

describe('repositories of every shape', () => {
  it('opens a checkout from its top and from below', async () => {
    const repository = gitRepository()
    const sha = repository.commit('one', { 'a/b/c.txt': '1' })
    const opened = await open(join(repository.work, 'a', 'b'))
    expect(opened).toMatchObject({ kind: 'worktree', top: repository.work, prefix: 'a/b' })
    expect(opened.facts).toEqual({
      kind: 'worktree',
      shallow: false,
      partial: false,
      objectFormat: 'sha1',
      head: sha,
      branch: 'main',
      limits: [],
    })
  })

  it('finds nothing where there is nothing, and says so', async () => {
    const directory = temporaryDirectory()
    expect(findRepository(directory)).toBeNull()
    expect(findRepository(join(directory, 'absent'))).toBeNull()
    await expect(open(directory)).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      hint: expect.stringContaining('--no-history'),
    })
  })

  it('opens an empty repository, one without a branch, and a detached one', async () => {
    const repository = gitRepository()
    expect((await open(repository.work)).facts).toMatchObject({
      head: null,
      branch: 'main',
      limits: ['no commit yet on main'],
    })
    expect(await readAll(repository.work)).toEqual({ listed: [], unlisted: [], documents: [], skipped: [] })
    const sha = repository.commit('one', { a: '1' })
    repository.git('checkout', '--quiet', '--orphan', 'unborn')
    expect((await open(repository.work)).facts).toMatchObject({ head: null, branch: 'unborn' })
    expect(await pathsIn(repository.work)).toEqual([sha])
    repository.git('checkout', '--quiet', '--force', '--detach', sha)
    const detached = repository.commit('two', { a: '2' })
    expect((await open(repository.work)).facts).toMatchObject({ head: detached, branch: null })
    expect(await pathsIn(repository.work)).toEqual([detached, sha])
  })

  it('opens bare, shallow and linked repositories', async () => {
    const repository = gitRepository()
    const shas = ['one', 'two', 'three'].map(text => repository.commit(text, { a: text }))
    const bare = join(temporaryDirectory(), 'bare.git')
    repository.git('clone', '--quiet', '--bare', repository.work, bare)
    expect((await open(bare)).facts.kind).toBe('bare')
    expect(await pathsIn(bare)).toEqual([...shas].reverse())
    const shallow = join(temporaryDirectory(), 'shallow')
    repository.git('clone', '--quiet', '--depth=2', `file://${repository.work}`, shallow)
    const opened = await open(shallow)
    expect(opened.facts.shallow).toBe(true)
    expect(opened.facts.limits).toEqual([
      'shallow clone: history ends at 1 commit, what came before is unknown',
    ])
    expect(await pathsIn(opened)).toEqual([shas[2], shas[1]])
    const linked = join(temporaryDirectory(), 'linked')
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked, shas[0]!)
    const worktree = await open(linked)
    expect(worktree.facts).toMatchObject({ kind: 'linked-worktree', head: shas[0], branch: 'side' })
    expect(await pathsIn(worktree)).toEqual([...shas].reverse())
  })

  it('opens a submodule by its own checkout', async () => {
    const module = gitRepository()
    const sha = module.commit('in the module', { a: '1' })
    const repository = gitRepository()
    repository.git('submodule', '--quiet', 'add', module.work, 'sub')
    const opened = await open(join(repository.work, 'sub'))
    expect(opened.facts).toMatchObject({ kind: 'submodule', head: sha })
    expect(await pathsIn(opened)).toEqual([sha])
  })

  it('says that reftables need a newer git, or reads them', async () => {
    const repository = gitRepository()
    repository.commit('one', { a: '1' })
    mkdirSync(join(repository.gitDirectory, 'reftable'))
    writeFileSync(join(repository.gitDirectory, 'reftable', 'tables.list'), '')
    const { facts } = await open(repository.work)
    expect(facts.head).toBeNull()
    expect(facts.limits.join()).toMatch(/reftable|no commit yet/)
  })

  it('keeps its own directory private, and mends it', async () => {
    const repository = gitRepository()
    repository.commit('one', { a: '1' })
    const shadowDirectory = join(temporaryDirectory(), 'shadow')
    await open(repository.work, { shadowDirectory })
    expect(statSync(shadowDirectory).mode & 0o777).toBe(0o700)
    chmodSync(shadowDirectory, 0o755)
    const config = readFileSync(join(shadowDirectory, 'config'), 'utf8')
    appendFileSync(join(shadowDirectory, 'config'), '[diff]\n\texternal = /bin/false\n')
    await open(repository.work, { shadowDirectory })
    expect(statSync(shadowDirectory).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(shadowDirectory, 'config'), 'utf8')).toBe(config)
  })

  describe('without git', () => {
    const { PATH } = process.env
    afterEach(() => {
      process.env.PATH = PATH
    })
    it('says what to install', async () => {
      const repository = gitRepository()
      repository.commit('one', { a: '1' })
      const opened = await open(repository.work)
      process.env.PATH = temporaryDirectory()
      await expect(readAll(opened)).rejects.toMatchObject({
        code: 'GIT_MISSING',
        hint: expect.stringContaining('install git'),
      })
    })
  })
})

describe('repositories that point elsewhere', () => {
  const secret = (): FixtureRepository & { readonly sha: string } => {
    const repository = gitRepository()
    return { ...repository, sha: repository.commit('secret', { 'key.txt': 'secret' }) }
  }

  it('does not follow a .git file or link to a repository that does not point back', async () => {
    const victim = secret()
    const linked = join(temporaryDirectory(), 'linked')
    victim.git('worktree', 'add', '--quiet', '-b', 'side', linked)
    const forged = (text: string): string => {
      const directory = temporaryDirectory()
      writeFileSync(join(directory, '.git'), text)
      return directory
    }
    const thief = temporaryDirectory()
    const fake = join(thief, 'fake')
    mkdirSync(fake)
    writeFileSync(join(thief, '.git'), 'gitdir: fake\n')
    writeFileSync(join(fake, 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(join(fake, 'commondir'), `${victim.gitDirectory}\n`)
    writeFileSync(join(fake, 'gitdir'), join(thief, '.git'))
    const link = temporaryDirectory()
    symlinkSync(victim.gitDirectory, join(link, '.git'))
    for (const root of [
      forged(`gitdir: ${victim.gitDirectory}\n`),
      forged(`gitdir: ${join(victim.gitDirectory, 'worktrees', 'linked')}\n`),
      thief,
      link,
    ]) {
      await expect(open(root)).rejects.toMatchObject({
        code: 'NOT_A_REPOSITORY',
        hint: expect.stringContaining('--trust'),
      })
      expect((await open(root, { trust: true })).facts.head).toBe(victim.sha)
      expect((await open(root, { allowedRoots: [victim.work] })).facts.head).toBe(victim.sha)
    }
    await expect(open(forged('gitdir: /nonexistent\n'))).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' })
    await expect(open(forged('--upload-pack=x'))).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' })
  })

  it('does not take a bare repository that lies around in a checkout, unless it is asked for', async () => {
    const repository = gitRepository()
    const sha = repository.commit('one', { 'data/readme.txt': '1' })
    const trap = gitRepository(join(repository.work, 'data', 'trap.git'), { bare: true })
    const opened = await open(join(repository.work, 'data', 'trap.git', 'refs'))
    expect([opened.gitDirectory, opened.facts.head]).toEqual([repository.gitDirectory, sha])
    expect((await open(trap.work)).facts.kind).toBe('bare')
  })

  it('ignores core.worktree, replace refs and grafts', async () => {
    const victim = secret()
    const repository = gitRepository()
    const one = repository.commit('one', { a: '1' })
    const two = repository.commit('two', { a: '2' })
    const other = repository.commit('other', { a: '3' })
    repository.git('reset', '--quiet', '--hard', two)
    repository.git('config', 'core.worktree', victim.work)
    repository.git('replace', two, other)
    writeFileSync(join(repository.gitDirectory, 'info', 'grafts'), `${two}\n`)
    const opened = await open(repository.work)
    expect(opened.top).toBe(repository.work)
    const { documents } = await readAll(opened)
    expect(documents.map(document => document.commit!.message)).toEqual(['two', 'one'])
    expect(documents[1]!.path).toBe(one)
  })

  it('reads borrowed objects only from where it may', async () => {
    const victim = secret()
    const thief = gitRepository()
    const own = thief.commit('own', { a: '1' })
    writeFileSync(
      join(thief.gitDirectory, 'objects', 'info', 'alternates'),
      `${victim.gitDirectory}/objects\n`,
    )
    thief.git('update-ref', 'refs/heads/stolen', victim.sha)
    const fenced = await open(thief.work)
    expect(fenced.facts.limits).toEqual([
      expect.stringContaining(`borrowed from ${victim.gitDirectory}/objects`),
    ])
    const { documents, unlisted } = await readAll(fenced)
    expect(documents.map(document => document.path)).toEqual([own])
    expect(unlisted).toMatchObject([{ path: victim.sha, reason: 'missing-object' }])
    for (const allowed of [{ trust: true }, { allowedRoots: [victim.work] }]) {
      const opened = await open(thief.work, allowed)
      expect(opened.facts.limits).toEqual([])
      expect((await pathsIn(opened)).sort()).toEqual([own, victim.sha].sort())
    }
  })

  it('reads nothing through a chain of borrowing, or through links', async () => {
    const victim = secret()
    const middle = gitRepository()
    const lent = middle.commit('lent', { m: '1' })
    writeFileSync(
      join(middle.gitDirectory, 'objects', 'info', 'alternates'),
      `${victim.gitDirectory}/objects\n`,
    )
    const thief = gitRepository()
    const own = thief.commit('own', { a: '1' })
    writeFileSync(
      join(thief.gitDirectory, 'objects', 'info', 'alternates'),
      `${middle.gitDirectory}/objects\n`,
    )
    thief.git('update-ref', 'refs/heads/stolen', victim.sha)
    thief.git('update-ref', 'refs/heads/lent', lent)
    expect(await pathsIn(await open(thief.work, { allowedRoots: [middle.work] }))).toEqual([own])
    const linking = gitRepository()
    const mine = linking.commit('mine', { a: '1' })
    linking.git('repack', '-adq')
    symlinkSync(
      join(victim.gitDirectory, 'objects', victim.sha.slice(0, 2)),
      join(linking.gitDirectory, 'objects', victim.sha.slice(0, 2)),
    )
    writeFileSync(join(linking.gitDirectory, 'refs', 'heads', 'stolen'), `${victim.sha}\n`)
    expect(await pathsIn(linking.work)).toEqual([mine])
  })

  it("refuses another user's repository until it is trusted; root may read everybody's", async () => {
    const repository = gitRepository()
    const sha = repository.commit('one', { a: '1' })
    const owner = statSync(repository.work).uid
    await expect(open(repository.work, { userId: owner + 1 })).rejects.toMatchObject({
      code: 'NOT_A_REPOSITORY',
      message: expect.stringContaining('belongs to another user'),
      hint: expect.stringContaining('--trust'),
    })
    expect((await open(repository.work, { userId: owner + 1, trust: true })).facts.head).toBe(sha)
    expect((await open(repository.work, { userId: 0 })).facts.head).toBe(sha)
    if (process.getuid?.() === 0) {
      chownSync(repository.gitDirectory, 12_345, 12_345)
      expect(await pathsIn(repository.work)).toEqual([sha])
    }
  })
})
