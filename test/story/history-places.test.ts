import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { indexDirectory } from '../../dist/config/directories.js'
import { gitRepository } from '../fixtures/git-repository.js'
import { expectedCommits, find, indexedCommits, indexHistory, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

const beside = ({ repo }: Scene, name: string): string => join(dirname(repo), name)

const statusOf = async (scene: Scene, root = scene.repo) =>
  JSON.parse((await scene.run('status', '--json', '--repo', root)).stdout)

describe('repositories of every sort', () => {
  story('a detached HEAD, and a commit that only HEAD reaches', async scene => {
    const repository = repositoryIn(scene)
    repository.commit('Base', { 'a.ts': 'base\n' })
    repository.git('switch', '--quiet', '--detach')
    const lone = repository.commit('Lone numbat', { 'a.ts': 'numbat\n' })
    await indexHistory(scene)
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    expect((await statusOf(scene)).history).toMatchObject({ head: lone, branch: null })
    expect((await find(scene, 'lone numbat', '-k', '1')).hits[0]!.commit).toBe(lone)
  })

  story('a linked worktree, and a directory below the top', async scene => {
    const repository = repositoryIn(scene)
    repository.commit('Base', { 'src/a.ts': 'base\n', 'docs/b.md': 'base\n' })
    repository.commit('Docs only', { 'docs/b.md': 'more\n' })
    const inside = repository.commit('Source bilby', { 'src/a.ts': 'bilby\n' })
    const linked = beside(scene, 'linked')
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked)
    await indexHistory(scene, '--repo', linked)
    expect(await indexedCommits(scene, linked)).toEqual(expectedCommits(repository))
    expect((await statusOf(scene, linked)).history).toMatchObject({ branch: 'side', missing: 0 })
    const below = join(scene.repo, 'src')
    const { hits } = await find(scene, 'bilby', '--repo', below, '-k', '9')
    expect(hits.map(({ commit, path }) => [commit, path])).toContainEqual([inside, 'a.ts'])
    expect(hits.map(({ message }) => message)).not.toContain('Docs only')
    expect(await indexedCommits(scene, below)).toEqual(
      repository.revisions('--no-merges', 'HEAD', '--', 'src'),
    )
  })

  story('a bare repository, by --repo', async scene => {
    const repository = repositoryIn(scene)
    const sha = repository.commit('Bare kowari', { 'a.ts': 'kowari\n' })
    const bare = beside(scene, 'bare.git')
    repository.git('clone', '--quiet', '--bare', '.', bare)
    const { hits } = await find(scene, 'kowari', '--repo', bare)
    expect(hits.map(hit => hit.commit)).toEqual([sha])
    await indexHistory(scene, '--repo', bare)
    expect(await indexedCommits(scene, bare)).toEqual([sha])
  })

  story('an empty repository has no commit yet, and the first one is taken in', async scene => {
    const repository = repositoryIn(scene)
    scene.write('a.ts', 'export const dunnart = 1\n')
    expect((await indexHistory(scene)).history).toMatchObject({ added: 0, unchanged: 0 })
    expect(await find(scene, 'dunnart')).toMatchObject({ code: 1, hits: [] })
    expect((await scene.run('status')).stdout).toMatch(/^history +0 commits, 0 hunks, no commit yet$/m)
    repository.commit('First', {})
    expect((await find(scene, 'dunnart')).hits).toHaveLength(1)
  })

  story('a shallow clone holds what was fetched, says so, and the rest when it comes', async scene => {
    const origin = gitRepository(beside(scene, 'origin'))
    for (const name of ['one', 'two', 'three', 'four'])
      origin.commit(`Commit ${name}`, { 'a.ts': `${name}\n` })
    const clone = repositoryIn(scene)
    clone.git('remote', 'add', 'origin', `file://${origin.work}`)
    clone.git('fetch', '--quiet', '--depth=2', 'origin', 'main')
    clone.git('reset', '--quiet', '--hard', 'FETCH_HEAD')
    expect((await indexHistory(scene)).history).toMatchObject({ added: 2 })
    expect((await scene.run('status')).stdout).toMatch(/^ +shallow clone: history ends at 1 commit,/m)
    clone.git('fetch', '--quiet', '--unshallow', 'origin')
    await find(scene, 'commit')
    expect(await indexedCommits(scene)).toEqual(origin.revisions('main'))
    expect((await statusOf(scene)).history).toMatchObject({ limits: [], missing: 0 })
  })

  story('a repository of SHA-256 objects', async scene => {
    const repository = gitRepository(scene.repo, { objectFormat: 'sha256' })
    const sha = repository.commit('Long id', { 'a.ts': 'quoll\n' })
    expect(sha).toHaveLength(64)
    expect((await find(scene, 'quoll')).hits.map(hit => hit.commit)).toEqual([sha])
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
  })

  story('odd commits: dates beyond the calendar, encodings, a message of 1 MB', async scene => {
    const repository = repositoryIn(scene)
    repository.commit('Base', { 'a.ts': 'base\n' })
    const tree = repository.git('rev-parse', 'HEAD^{tree}')
    const make = (parent: string, who: string, time: string, rest: Buffer | string): string =>
      repository.rawCommit(
        Buffer.concat([
          Buffer.from(`tree ${tree}\nparent ${parent}\nauthor `),
          Buffer.from(who, 'latin1'),
          Buffer.from(` <x@y> ${time} +0000\ncommitter C <c@d> ${time} +0000\n`),
          Buffer.from(rest),
        ]),
      )
    let tip = repository.git('rev-parse', 'HEAD')
    tip = make(tip, 'Ren\xe9', '4102444800', '\nFrom the year 2100\n')
    tip = make(tip, 'Far', '99999999999999999', '\nBeyond all calendars\n')
    tip = make(tip, 'Old', '-1000000000', '\nBefore the epoch\n')
    tip = make(tip, 'Latin', '1600000000', Buffer.from('encoding ISO-8859-1\n\nCaf\xe9 numbat\n', 'latin1'))
    tip = make(tip, 'Long', '1600000001', `\nMegabyte\n\n${'word '.repeat(210_000)}\n`)
    repository.git('update-ref', 'refs/heads/main', tip)
    expect((await indexHistory(scene)).history).toMatchObject({ added: 6, skipped: {} })
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    const { hits } = await find(scene, 'café numbat', '-k', '6')
    expect(hits[0]!.message).toBe('Café numbat')
    expect(hits.map(({ author }) => author)).toContain('René')
    expect((await scene.run('find', 'calendars epoch 2100 megabyte', '-k', '6')).code).toBe(0)
  })
})

describe('without git', () => {
  story('a directory without a repository is searched, and find says what is missing', async scene => {
    scene.write('a.ts', 'export const potoroo = 1\n')
    const report = await indexHistory(scene)
    expect([report.added, report.history, report.warnings]).toEqual([1, undefined, []])
    expect((await scene.run('search', 'potoroo')).code).toBe(0)
    for (const refresh of [[], ['--no-refresh']]) {
      const { code, stderr } = await scene.run('find', 'potoroo', '--json', ...refresh)
      const { error } = JSON.parse(stderr)
      expect([code, error.hint !== undefined]).toEqual([2, true])
      expect(error.code).toBe(refresh.length === 0 ? 'NOT_A_REPOSITORY' : 'INDEX_MISSING')
    }
    const status = await scene.run('status')
    expect([status.code, status.stdout.includes('no git repository here')]).toEqual([0, true])
    const asked = await scene.run('index', '--refs', 'main', '--json')
    expect([asked.code, JSON.parse(asked.stderr).error.code]).toEqual([2, 'NOT_A_REPOSITORY'])
  })

  story('a machine without git indexes the code and warns about the history', async scene => {
    const repository = repositoryIn(scene)
    const first = repository.commit('First potoroo', { 'a.ts': 'export const potoroo = 1\n' })
    const nothing = beside(scene, 'nothing')
    mkdirSync(nothing)
    const without = (...args: string[]) => scene.runWith({ environment: { PATH: nothing } }, ...args)
    const indexed = await without('index', '--fast')
    expect(indexed.code).toBe(0)
    expect(indexed.stderr).toMatch(/^warning: History needs git.*\n {3}hint: .*--no-history$/m)
    expect(indexed.stderr).toMatch(/^1 added · /m)
    const json = JSON.parse((await without('index', '--fast', '--json')).stdout)
    expect(json.warnings).toMatchObject([{ code: 'GIT_MISSING' }])
    expect((await without('search', 'potoroo')).code).toBe(0)
    const found = await without('find', 'potoroo', '--json')
    expect([found.code, JSON.parse(found.stderr).error.code]).toEqual([2, 'GIT_MISSING'])
    const status = await without('status')
    expect(status.code).toBe(0)
    expect(status.stdout).toMatch(/^ +History needs git/m)
    expect((await without('index', '--fast', '--no-history')).stderr).not.toContain('warning')

    // An index that was made with git answers without it, and says what it cannot see.
    expect((await find(scene, 'potoroo')).hits).toHaveLength(1)
    expect((await without('find', 'potoroo', '--json')).code).toBe(0)
    repository.commit('Second potoroo', { 'a.ts': 'export const potoroo = 2\n' })
    const stale = JSON.parse((await without('find', 'potoroo', '--json')).stdout)
    expect(stale.hits.map((hit: { commit: string }) => hit.commit)).toEqual([first])
    expect(stale.warnings).toContainEqual(expect.objectContaining({ code: 'STALE' }))
  })

  story('a repository that must not be followed is named, and the code is indexed', async scene => {
    const other = gitRepository(beside(scene, 'other'))
    other.commit('Secret', { 'secret.txt': 'hunter2\n' })
    scene.write('a.ts', 'export const bandicoot = 1\n')
    writeFileSync(join(scene.repo, '.git'), `gitdir: ${other.gitDirectory}\n`)
    const { code, stderr } = await scene.run('index', '--fast')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^warning: .*lies elsewhere.*\n {3}hint: .*--trust/m)
    expect(stderr).toMatch(/^1 added · /m)
    const found = await scene.run('find', 'hunter2', '--json')
    expect([found.code, JSON.parse(found.stderr).error.code]).toEqual([2, 'NOT_A_REPOSITORY'])
    expect((await scene.run('status')).stdout).toMatch(/^ +.*lies elsewhere/m)
    rmSync(join(scene.repo, '.git'))
    symlinkSync(other.gitDirectory, join(scene.repo, '.git'))
    expect((await scene.run('index', '--fast')).stderr).toMatch(/^warning: .*lies elsewhere/m)
    expect((await scene.run('index', '--fast', '--trust')).stderr).toMatch(/^history: 1 added/m)
    expect(existsSync(join(scene.home, 'data'))).toBe(true)
    expect(readdirSync(scene.repo).sort()).toEqual(['.git', 'a.ts'])
  })

  story('one that was trusted once stays trusted as it was, until it is purged', async scene => {
    const other = gitRepository(beside(scene, 'other'))
    const sha = other.commit('Add quokka', { 'a.ts': 'export const quokka = 1\n' })
    scene.write('a.ts', 'export const quokka = 1\n')
    writeFileSync(join(scene.repo, '.git'), `gitdir: ${other.gitDirectory}\n`)
    const asked = JSON.parse((await scene.run('ask', 'quokka', '--json')).stdout)
    expect(asked.hits.map((hit: { kind: string }) => hit.kind)).toEqual(['code'])
    expect(asked.warnings[0]).toMatchObject({
      code: 'NOT_A_REPOSITORY',
      hint: expect.stringContaining('--trust'),
    })
    const unread = await scene.run('status')
    expect(unread.stdout).toMatch(/^history +cannot be read$/m)
    expect(unread.stderr).toMatch(/hint: .*--trust/)

    await scene.run('index', '--fast', '--trust')
    const file = join(indexDirectory(join(scene.home, 'data'), scene.repo), 'trusted.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await find(scene, 'quokka')).hits.map(({ commit }) => commit)).toEqual([sha])
    expect((await scene.run('explain', 'a.ts:1', '--json')).code).toBe(0)
    expect((await scene.run('status')).stdout).toContain(`at ${sha.slice(0, 12)}`)

    // Another place is another matter, and so is a list that others may write.
    const secret = gitRepository(beside(scene, 'secret'))
    secret.commit('Secret', { 'a.ts': 'hunter2\n' })
    writeFileSync(join(scene.repo, '.git'), `gitdir: ${secret.gitDirectory}\n`)
    expect((await scene.run('find', 'hunter2')).stderr).toContain('lies elsewhere')
    writeFileSync(join(scene.repo, '.git'), `gitdir: ${other.gitDirectory}\n`)
    chmodSync(file, 0o666)
    expect((await scene.run('find', 'quokka')).stderr).toContain('lies elsewhere')
    chmodSync(file, 0o600)
    expect((await scene.run('index', '--fast', '--rebuild')).stderr).toMatch(/^history: 1 added/m)
    await scene.run('purge', '--yes')
    expect((await scene.run('find', 'quokka')).stderr).toContain('lies elsewhere')
  })

  story("another user's repository is read once it was trusted, and by root at once", async scene => {
    const sha = repositoryIn(scene).commit('Add quoll', { 'a.ts': 'export const quoll = 1\n' })
    const isRoot = process.getuid?.() === 0
    // Only root can give files away and become someone else.
    const shell = 'exec setpriv --reuid=12345 --regid=12345 --clear-groups "$0" "$@"'
    if (isRoot) {
      chmodSync(dirname(scene.repo), 0o755)
      mkdirSync(scene.home)
      chownSync(scene.home, 12_345, 12_345)
    }
    const run = (...args: string[]) => scene.runWith(isRoot ? { shell } : {}, ...args)
    if (isRoot) {
      expect((await run('find', 'quoll')).stderr).toMatch(/belongs to another user.*\n.*--trust/)
      await run('index', '--fast', '--trust')
    }
    const found = await run('find', 'quoll', '--json')
    expect(JSON.parse(found.stdout).hits.map((hit: { commit: string }) => hit.commit)).toEqual([sha])
    expect((await run('explain', 'a.ts:1')).code).toBe(0)
    expect((await run('status')).stdout).toContain(`1 commit, 1 hunk, at ${sha.slice(0, 12)}`)
  })
})
