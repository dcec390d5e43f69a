import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitHistory } from '../../../dist/adapters/git/history-source.js'
import { FIRST_TIME, gitRepository, temporaryDirectory } from '../../fixtures/git-repository.js'
import { changedLines, open, readAll } from './open.js'

describe('history as a source', () => {
  it('gives each commit with its facts and its diff, newest first', async () => {
    const repository = gitRepository()
    const first = repository.commit('Begin\n\nWith a body.', { 'a.txt': 'one\ntwo\n' })
    const second = repository.commit(
      'Go on',
      { 'a.txt': 'one\n2\n' },
      { author: 'Grace Hopper', email: 'g@x.org' },
    )
    const { documents, listed } = await readAll(repository.work)
    expect(listed).toEqual([second, first])
    expect(documents[0]).toEqual({
      kind: 'hunk',
      path: second,
      language: 'diff',
      text: expect.stringMatching(
        /^diff --git a\/a.txt b\/a.txt\nindex [0-9a-f.]+ 100644\n--- a\/a.txt\n\+\+\+ b\/a.txt\n@@ -1,2 \+1,2 @@\n one\n-two\n\+2\n$/,
      ),
      contentHash: second,
      stamp: second,
      time: (FIRST_TIME + 7200) * 1000,
      commit: {
        sha: second,
        author: 'Grace Hopper',
        email: 'g@x.org',
        authored: (FIRST_TIME + 7200) * 1000,
        committed: (FIRST_TIME + 7200) * 1000,
        message: 'Go on',
      },
    })
    expect(documents[1]?.commit?.message).toBe('Begin\n\nWith a body.')
    expect(changedLines(documents[1]!.text)).toEqual(['+one', '+two'])
  })

  it('reads every commit but merges exactly once: branches, octopus, criss-cross, renames, copies, modes, nothing', async () => {
    const repository = gitRepository()
    const { git, commit } = repository
    const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')
    commit('root', { 'base.txt': long })
    const names = Array.from({ length: 7 }, (_, index) => `arm-${index}`)
    for (const name of names) {
      git('checkout', '--quiet', '-b', name, 'main')
      commit(`on ${name}`, { [`${name}.txt`]: name })
    }
    git('checkout', '--quiet', 'main')
    commit('on main', { 'main.txt': 'main' })
    git('merge', '--quiet', '--no-ff', '-m', 'octopus', ...names)
    expect(git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(9)
    git('branch', 'left')
    git('branch', 'right')
    for (const side of ['left', 'right']) {
      git('checkout', '--quiet', side)
      commit(`work on ${side}`, { [`${side}.txt`]: side })
    }
    git('merge', '--quiet', '--no-ff', '-m', 'cross', 'left')
    git('checkout', '--quiet', 'left')
    git('merge', '--quiet', '--no-ff', '-m', 'cross again', 'right^1')
    git('checkout', '--quiet', 'main')
    git('merge', '--quiet', 'left')
    git('merge', '--quiet', 'right')
    git('mv', 'base.txt', 'moved.txt')
    const moved = commit('rename', { 'moved.txt': `${long}\nand more` })
    const copied = commit('copy', { 'copy.txt': `${long}\nand a copy`, 'moved.txt': `${long}\nand most` })
    git('update-index', '--chmod=+x', 'moved.txt')
    git('commit', '--quiet', '-m', 'mode')
    const mode = git('rev-parse', 'HEAD')
    git('reset', '--quiet', '--hard')
    const empty = commit('empty')
    git('checkout', '--quiet', '--orphan', 'island')
    const island = commit('second root', { 'base.txt': 'island' })

    const { documents, skipped, unlisted } = await readAll(repository.work)
    expect([...skipped, ...unlisted]).toEqual([])
    expect(documents.map(document => document.path).sort()).toEqual(
      repository.revisions('--no-merges', '--branches', 'HEAD'),
    )
    const textOf = (sha: string) => documents.find(document => document.path === sha)?.text
    expect(textOf(moved)).toMatch(/rename from base.txt\nrename to moved.txt[\s\S]*\+and more/)
    expect(textOf(copied)).toContain('+++ b/copy.txt')
    expect(textOf(mode)).toBe('')
    expect(textOf(empty)).toBe('')
    expect(textOf(island)).toContain('--- /dev/null')
  })

  it('takes in what is new, lets go of what cannot be reached, and knows when nothing moved', async () => {
    const repository = gitRepository()
    const { git, commit } = repository
    const root = commit('root', { a: '1' })
    git('checkout', '--quiet', '-b', 'topic')
    const topic = commit('topic', { b: '1' })
    git('checkout', '--quiet', 'main')
    const before = commit('before amend', { c: '1' })
    const opened = await open(repository.work)
    const history = gitHistory(opened)
    const known = (shas: readonly string[]) =>
      new Map(shas.map(sha => [sha, { stamp: sha, contentHash: sha }]))
    const stamp = await history.stamp()
    expect((await history.changes(new Map())).touched).toEqual([before, topic, root])
    expect(await history.changes(known([before, topic, root]))).toEqual({
      touched: [],
      gone: [],
      unchanged: 3,
      skipped: [],
    })
    expect(await history.stamp()).toBe(stamp)

    git('commit', '--quiet', '--amend', '-m', 'after amend')
    const after = git('rev-parse', 'HEAD')
    expect(await history.stamp()).not.toBe(stamp)
    expect(await history.changes(known([before, topic, root]))).toMatchObject({
      touched: [after],
      gone: [before],
      unchanged: 2,
    })

    git('branch', '-D', 'topic')
    expect((await history.changes(known([after, topic, root]))).gone).toEqual([topic])

    git('checkout', '--quiet', '-b', 'rebased', root)
    const old = commit('to be rebased', { d: '1' })
    git('rebase', '--quiet', 'main')
    const changes = await history.changes(known([after, root, old]))
    expect(changes.gone).toEqual([old])
    expect(changes.touched).toEqual([git('rev-parse', 'HEAD')])
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '--quiet', '--prune=now')
    expect((await readAll(opened)).documents.map(document => document.path).sort()).toEqual(
      repository.revisions('--branches'),
    )
  })

  it('chooses by ref, pattern, time and number', async () => {
    const repository = gitRepository()
    const shas = Array.from({ length: 6 }, (_, index) =>
      repository.commit(`c${index}`, { f: `${index}` }),
    ).reverse()
    repository.git('tag', '-a', '-m', 'annotated', 'v1', shas[3]!)
    repository.git('branch', 'release/1', shas[4]!)
    repository.git('update-ref', 'refs/remotes/origin/main', shas[1]!)
    repository.git('tag', 'blob', repository.pipe('text', 'hash-object', '-w', '--stdin'))
    const list = async (options: Parameters<typeof readAll>[1]) =>
      (await readAll(repository.work, options)).listed
    expect(await list({})).toEqual(shas)
    expect(await list({ refs: ['v1'] })).toEqual(shas.slice(3))
    expect(await list({ refs: ['release/*'] })).toEqual(shas.slice(4))
    expect(await list({ refs: ['origin/main'] })).toEqual(shas.slice(1))
    expect(await list({ refs: ['HEAD~2'] })).toEqual(shas.slice(2))
    expect(await list({ refs: ['blob'] })).toEqual([])
    expect(await list({ maxCommits: 2 })).toEqual(shas.slice(0, 2))
    expect(await list({ since: (FIRST_TIME + 4 * 3600) * 1000 })).toEqual(shas.slice(0, 3))
    await expect(list({ refs: ['nowhere'] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(list({ refs: ['no*where'] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(list({ refs: ['--all'] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('keeps to the directory it was opened in', async () => {
    const repository = gitRepository()
    repository.commit('outside', { 'other/x.txt': '1' })
    const inside = repository.commit('inside', { 'deep/er/y.txt': '1', 'other/x.txt': '2' })
    const { documents } = await readAll(join(repository.work, 'deep', 'er'))
    expect(documents.map(document => document.path)).toEqual([inside])
    expect(documents[0]!.text).toContain('+++ b/y.txt')
    expect(documents[0]!.text).not.toContain('x.txt')
  })

  it('stops git when the reader stops, and when it is cancelled', async () => {
    const repository = gitRepository()
    repository.pipe(manyCommits(3000), 'fast-import', '--quiet')
    const history = gitHistory(await open(repository.work))
    const { touched } = await history.changes(new Map())
    expect(touched).toHaveLength(3000)
    for await (const item of history.read(touched)) {
      expect(item.path).toBe(touched[0])
      break
    }
    const abort = new AbortController()
    const reading = (async () => {
      let count = 0
      for await (const _ of history.read(touched, abort.signal)) if (++count === 10) abort.abort()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(history.changes(new Map(), AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

describe('what git cannot read', () => {
  const loose = (gitDirectory: string, id: string): string =>
    join(gitDirectory, 'objects', id.slice(0, 2), id.slice(2))

  it('skips commits whose blob or tree is missing or damaged, and reads all others', async () => {
    const repository = gitRepository()
    const shas = Array.from({ length: 8 }, (_, index) =>
      repository.commit(`c${index}`, { [`d${index}/f.txt`]: `${index}\n` }),
    )
    const id = (expression: string) => repository.git('rev-parse', expression)
    rmSync(loose(repository.gitDirectory, id(`${shas[2]}:d2/f.txt`)))
    rmSync(loose(repository.gitDirectory, id(`${shas[5]}:d5`)))
    const damaged = loose(repository.gitDirectory, id(`${shas[7]}:d7/f.txt`))
    renameSync(damaged, `${damaged}.kept`)
    writeFileSync(damaged, 'no object at all')
    const { documents, skipped } = await readAll(repository.work)
    expect(skipped.map(skip => skip.path)).toEqual([shas[7], shas[5], shas[2]])
    expect(skipped.every(skip => skip.reason === 'missing-object' && skip.detail !== '')).toBe(true)
    expect(documents.map(document => document.path)).toEqual([6, 4, 3, 1, 0].map(index => shas[index]))
  })

  it('lists what there is when a commit is missing, and says where history breaks off', async () => {
    const repository = gitRepository()
    const shas = Array.from({ length: 6 }, (_, index) => repository.commit(`c${index}`, { f: `${index}` }))
    repository.git('branch', 'old', shas[1]!)
    repository.git('branch', 'lost', shas[3]!)
    rmSync(loose(repository.gitDirectory, shas[3]!))
    const { documents, skipped, unlisted } = await readAll(repository.work)
    expect(documents.map(document => document.path)).toEqual([shas[5], shas[1], shas[0]])
    expect(skipped.map(skip => skip.path)).toEqual([shas[4]])
    expect(unlisted.map(skip => skip.path).sort()).toEqual([shas[3], shas[4]].sort())
  })

  it('goes through a clone without blobs or without trees, with few processes', async () => {
    const repository = gitRepository()
    repository.pipe(manyCommits(400), 'fast-import', '--quiet')
    repository.git('config', 'uploadpack.allowFilter', 'true')
    for (const filter of ['blob:none', 'tree:0']) {
      const clone = join(temporaryDirectory(), 'clone')
      repository.git('clone', '--quiet', '--bare', `--filter=${filter}`, `file://${repository.work}`, clone)
      const opened = await open(clone)
      expect(opened.facts.partial).toBe(true)
      expect(opened.facts.limits.join()).toContain('partial clone')
      let processes = 0
      const counting = {
        ...opened,
        stream: (...args: Parameters<typeof opened.stream>) => {
          processes++
          return opened.stream(...args)
        },
      }
      const { documents, skipped } = await readAll(counting)
      expect(documents.length + skipped.length).toBe(400)
      expect(skipped.length).toBeGreaterThan(395)
      expect(processes).toBeLessThan(20)
    }
  })

  it('gives up on a git that fails at everything without starting it for each commit', async () => {
    const repository = gitRepository()
    repository.pipe(manyCommits(300), 'fast-import', '--quiet')
    const opened = await open(repository.work)
    let processes = 0
    const broken = {
      ...opened,
      stream: (args: readonly string[], options: Parameters<typeof opened.stream>[1]) => {
        processes++
        return opened.stream(args.includes('-p') ? ['no-such-command'] : args, options)
      },
    }
    const { skipped, documents } = await readAll(broken)
    expect([documents.length, skipped.length]).toEqual([0, 300])
    expect(processes).toBeLessThan(150)
  })
})

describe('a history full of damage', () => {
  it('still reaches what lies behind it', async () => {
    const repository = gitRepository()
    repository.commit('whole', { whole: 'whole' })
    const shas = Array.from({ length: 60 }, (_, index) =>
      repository.commit(`c${index}`, { [`f${index}`]: `${index}` }),
    )
    for (const [index, sha] of shas.entries()) {
      const id = repository.git('rev-parse', `${sha}:f${index}`)
      const path = join(repository.gitDirectory, 'objects', id.slice(0, 2), id.slice(2))
      // Its beginning is sound, so that its size can be asked; its end is not.
      const bytes = readFileSync(path)
      chmodSync(path, 0o644)
      writeFileSync(path, bytes.subarray(0, bytes.length - 4))
    }
    const { documents, skipped } = await readAll(repository.work)
    expect(skipped).toHaveLength(60)
    expect(documents.map(document => document.commit!.message)).toEqual(['whole'])
  })
})

/** Commits of one small change each, for `git fast-import`. */
const manyCommits = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const [message, content] = [`commit ${index}`, `content ${index}\n`]
    return `commit refs/heads/main\ncommitter Ada <ada@example.org> ${FIRST_TIME + index} +0000\ndata ${message.length}\n${message}\nM 100644 inline d${index % 7}/f.txt\ndata ${content.length}\n${content}\n`
  }).join('')
