/** Histories that are small on disk and large to read, through the binary: everything is taken in, or it is said what is not. */

import { chmodSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { packDeltaChain } from '../fixtures/delta-chain.js'
import { expectedCommits, find, indexedCommits, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

/** Git may map packs and take this much, and dies if it wants more. */
const limitedGit = (scene: Scene, kilobytes: number): Readonly<Record<string, string>> => {
  const path = process.env.PATH ?? ''
  const program = scene.write(
    '../limited/git',
    `#!/bin/sh\nulimit -v ${kilobytes}\nPATH='${path}' exec git "$@"\n`,
  )
  chmodSync(program, 0o755)
  return { PATH: `${program.slice(0, program.lastIndexOf('/'))}:${path}` }
}

const run = async (scene: Scene, environment: Readonly<Record<string, string>>, ...args: string[]) => {
  // A heap this small fails where anything is held that should be read piece by piece.
  const node = ['--max-old-space-size=256']
  const { code, stdout, stderr } = await scene.runWith({ environment, node }, ...args, '--json')
  expect([code, stderr.replace(/^(?:indexing|embedding).*\n/gm, '')]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('a history that is a bomb', () => {
  story('of deltas, ten thousand deep, is read like any other', async scene => {
    const repository = repositoryIn(scene)
    const depth = 10_000
    const chain = packDeltaChain(repository, depth, 'a line that stays as it is\n'.repeat(400))
    const chosen = Array.from({ length: 21 }, (_, step) => depth - step * 500)
    const commits = chosen.map(
      (version, position) =>
        `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_600_000_000 + position} +0000\n` +
        `data 20\nto version ${String(version).padStart(8, '0')}\n\nM 100644 ${chain.idOf(version)} file.txt\n\n`,
    )
    repository.pipe(commits.join(''), 'fast-import', '--quiet')
    // The other end of the chain is what is checked out.
    repository.git('reset', '--quiet', '--hard', 'main')
    const environment = limitedGit(scene, 400_000)
    const { history } = await run(scene, environment, 'index', '--fast', '--quiet')
    expect(history).toMatchObject({ added: 21, skipped: {} })
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    const { hits } = await find(scene, 'version 00009500', '-k', '1')
    expect(hits[0]!.text).toContain('+version 00009500')
    const oldest = repository.git('rev-list', '--max-parents=0', 'main')
    const explained = await run(scene, environment, 'explain', 'file.txt:1', '--at', oldest)
    expect(explained.exact.at(-1)).toMatchObject({ commit: oldest, role: 'wrote', provenance: 'exact' })
  })

  story('of directories, ten thousand deep, costs that file and nothing else', async scene => {
    const repository = repositoryIn(scene)
    const commit = (message: string, path: string): string =>
      `commit refs/heads/main\ncommitter Ada <ada@example.org> 1600000000 +0000\ndata ${message.length}\n${message}\n` +
      `M 100644 inline ${path}\ndata 5\ntext\n\n`
    const deep = `${'d/'.repeat(10_000)}f.txt`
    repository.pipe(
      commit('before', 'a.txt') +
        commit('the deep one', deep) +
        commit('a shallow cave', `${'d/'.repeat(1000)}g.txt`),
      ...['fast-import', '--quiet'],
    )
    const { history } = await run(scene, {}, 'index', '--fast', '--quiet')
    expect(history).toMatchObject({ added: 3, skipped: {} })
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    const { hits } = await find(scene, 'shallow cave', '-k', '1')
    expect(hits[0]!.path).toHaveLength(2005)
    expect((await find(scene, 'the deep one', '-k', '1')).hits[0]).toMatchObject({ message: 'the deep one' })
    const listed = await scene.run('status', '--skipped')
    expect(listed.stdout).toMatch(/^too-large .*its path has more than 4096 characters/m)
  })

  story('of files in one directory is taken in up to a limit, which is said', async scene => {
    const repository = repositoryIn(scene)
    const first = repository.commit('before them', { 'README.md': 'one line\n' })
    const blob = repository.git('rev-parse', 'HEAD:README.md')
    // Four megabytes of one commit are shown: fewer files than these.
    const many = 32_000
    const nameOf = (number: number): string => `f${String(number).padStart(7, '0')}.txt`
    const treeOf = (count: number): string => {
      const names = Array.from({ length: count }, (_, number) => `100644 blob ${blob}\t${nameOf(number)}\n`)
      return repository.pipe(names.join(''), 'mktree')
    }
    const commit = (message: string, tree: string, parent: string): string =>
      repository.git('commit-tree', '-m', message, '-p', parent, tree)
    const all = commit('every file at once', treeOf(many), first)
    const more = commit('one more file', treeOf(many + 1), all)
    repository.git('update-ref', 'refs/heads/main', more)
    const environment = limitedGit(scene, 600_000)
    const { history } = await run(scene, environment, 'index', '--fast', '--quiet')
    expect(history).toMatchObject({ added: 3, skipped: {} })
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))

    const { hits } = await find(scene, 'one more file', '-k', '1')
    expect(hits[0]).toMatchObject({ commit: more, path: nameOf(many) })
    // Beyond the limit, and explained all the same: that needs no index.
    const explained = await run(scene, environment, 'explain', nameOf(many - 1), '--at', more)
    expect(explained.exact[0]).toMatchObject({ provenance: 'exact' })

    const status = await scene.run('status')
    expect(status.stdout).toMatch(/history +3 commits, [\d,]+ hunks/)
    expect(status.stdout).toMatch(/files left out of commits: more than [\d,]+ too-large/)
    const listed = await scene.run('status', '--skipped')
    expect(listed.stdout).toMatch(new RegExp(`too-large +${all}:\\* +[\\d]+ more files`))
  })
})
