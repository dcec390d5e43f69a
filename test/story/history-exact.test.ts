import { describe, expect } from 'vitest'
import { FIRST_TIME } from '../fixtures/git-repository.js'
import {
  dumpHistory,
  expectedCommits,
  find,
  importCommits,
  indexedCommits,
  indexHistory,
  repositoryIn,
} from './history-scene.js'
import { type Scene, story } from './story.js'

/** The index holds these commits once each; a question that says nothing in common with them is of no help to it. */
const expectExact = async (scene: Scene, repository: ReturnType<typeof repositoryIn>): Promise<void> => {
  const expected = expectedCommits(repository)
  expect(await indexedCommits(scene)).toEqual(expected)
  const { history } = JSON.parse((await scene.run('status', '--json')).stdout)
  expect(history).toMatchObject({ missing: 0, gone: 0, index: { documents: expected.length } })
}

describe('the commits in the index', () => {
  story('are those of git, and a second run takes in the new ones only', async scene => {
    const repository = repositoryIn(scene)
    importCommits(
      repository,
      Array.from({ length: 450 }, (_, number) => ({
        message: `Change ${number}`,
        files: { [`src/file${number % 40}.ts`]: `export const value = ${number}\n` },
        time: FIRST_TIME + number * 60,
      })),
    )
    expect((await indexHistory(scene)).history).toMatchObject({ added: 450, chunks: 900, unchanged: 0 })
    await expectExact(scene, repository)
    const dump = await dumpHistory(scene)
    repository.commit('One more', { 'a.ts': 'one\n' })
    repository.git('switch', '--quiet', '-c', 'topic', 'HEAD~5')
    repository.commit('Two more', { 'b.ts': 'two\n' })
    expect((await indexHistory(scene)).history).toMatchObject({
      added: 2,
      changed: 0,
      removed: 0,
      unchanged: 450,
    })
    await expectExact(scene, repository)
    expect((await indexHistory(scene)).history).toMatchObject({ added: 0, removed: 0, unchanged: 452 })
    // What was there before is untouched, and an index made at once is the same.
    const after = await dumpHistory(scene)
    expect(dump.filter(line => !after.includes(line))).toEqual([])
    await indexHistory(scene, '--rebuild')
    expect(await dumpHistory(scene)).toEqual(after)
  })

  story('leave it when no branch reaches them: amend, rebase, reset, deleted branch, gc', async scene => {
    const repository = repositoryIn(scene)
    const { commit, git } = repository
    commit('Base', { 'a.ts': 'base\n' })
    const clumsy = commit('Clumsy wombat', { 'wombat.ts': 'const wombat = 1\n' })
    await indexHistory(scene)
    const asked = async (question: string) =>
      (await find(scene, question, '-k', '20')).hits.map(({ commit: sha }) => sha)
    expect(await asked('clumsy wombat')).toContain(clumsy)

    git('commit', '--quiet', '--amend', '-m', 'Graceful wombat')
    const amended = git('rev-parse', 'HEAD')
    const after = await asked('clumsy wombat')
    expect(after).not.toContain(clumsy)
    expect(after).toContain(amended)
    await expectExact(scene, repository)

    git('switch', '--quiet', '-c', 'topic', 'HEAD~1')
    const topic = commit('Topic quokka', { 'quokka.ts': 'const quokka = 1\n' })
    git('switch', '--quiet', 'main')
    expect(await asked('topic quokka')).toContain(topic)
    git('rebase', '--quiet', 'main', 'topic')
    const rebased = git('rev-parse', 'topic')
    expect((await indexHistory(scene)).history).toMatchObject({ added: 1, removed: 1 })
    const quokkas = await asked('topic quokka')
    expect(quokkas).not.toContain(topic)
    expect(quokkas).toContain(rebased)

    git('switch', '--quiet', 'main')
    git('branch', '--quiet', '-D', 'topic')
    expect(await asked('topic quokka')).not.toContain(rebased)
    git('reset', '--quiet', '--hard', 'HEAD~1')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '--quiet', '--prune=now')
    expect((await indexHistory(scene)).history).toMatchObject({ added: 0, removed: 1, unchanged: 1 })
    await expectExact(scene, repository)
    expect((await scene.run('doctor', '--deep', '--offline')).code).toBe(0)
  })

  story(
    'are no merges, however many parents they have, and what came in by them is there once',
    async scene => {
      const repository = repositoryIn(scene)
      const { commit, git } = repository
      commit('Root', { 'root.ts': 'root\n' })
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        git('switch', '--quiet', '-c', name, 'main')
        commit(`Arm ${name}`, { [`${name}.ts`]: `export const arm = '${name}'\n` })
      }
      git('switch', '--quiet', 'main')
      git('merge', '--quiet', '-m', 'Octopus tentacle', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
      expect(git('rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(9)
      // Criss-cross: each of two branches takes in the other.
      for (const [into, from] of [
        ['a', 'b^0'],
        ['b', 'a^1'],
      ]) {
        git('switch', '--quiet', into!)
        git('merge', '--quiet', '--no-ff', '-m', `Cross ${into}`, from!)
      }
      git('branch', '--quiet', '-D', 'c', 'd')
      await indexHistory(scene)
      expect(expectedCommits(repository)).toHaveLength(9)
      await expectExact(scene, repository)
      const { hits } = await find(scene, 'octopus tentacle arm', '-k', '20')
      expect(new Set(hits.map(({ commit: sha }) => sha)).size).toBe(hits.length)
      expect(hits.map(({ message }) => message)).not.toContain('Octopus tentacle')
    },
  )

  story('have each hunk once: renames, modes, binaries, empty commits and 600 files', async scene => {
    const repository = repositoryIn(scene)
    const { commit, git } = repository
    const text = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')
    commit('Make', { 'a.txt': `${text}\n`, 'run.sh': 'echo\n' })
    git('mv', 'a.txt', 'moved.txt')
    const renamed = commit('Rename platypus', {
      'moved.txt': `${text.replace('line 5\n', 'platypus\n').replace('line 50\n', 'echidna\n')}\n`,
    })
    git('update-index', '--chmod=+x', 'run.sh')
    git('commit', '--quiet', '-m', 'Mode only')
    git('checkout', '--quiet', '--', '.')
    commit('Binary', { 'x.bin': Buffer.from([0, 1, 2, 3]) })
    git('commit', '--quiet', '--allow-empty', '-m', 'Nothing at all')
    const many = Object.fromEntries(
      Array.from({ length: 600 }, (_, file) => [`many/${file}.txt`, `file ${file}\n`]),
    )
    commit('Very many files', many)
    await indexHistory(scene)
    await expectExact(scene, repository)
    const lines = await dumpHistory(scene)
    const chunks = (sha: string) => lines.filter(line => line.startsWith(`hunk "${sha}" 0`)).length
    expect(chunks(renamed)).toBe(3)
    expect(chunks(git('rev-parse', 'HEAD'))).toBe(601)
    const status = await scene.run('status')
    expect(status.stdout).toMatch(
      /^history +6 commits, 60\d hunks, at [0-9a-f]{12} on main\n +files left out of commits: 1 binary$/m,
    )
    expect((await scene.run('status', '--skipped')).stdout).toMatch(/^binary +[0-9a-f]{40}:x\.bin$/m)
    const { hits } = await find(scene, 'platypus', '-k', '1')
    expect(hits[0]).toMatchObject({
      commit: renamed,
      change: 'renamed',
      oldPath: 'a.txt',
      path: 'moved.txt',
      hunks: 2,
    })
    const empty = await find(scene, 'nothing at all', '-k', '1')
    expect(empty.hits[0]).toMatchObject({ message: 'Nothing at all', path: '', change: null, hunks: 0 })
    expect((await scene.run('find', 'nothing at all', '-k', '1')).stdout).toMatch(
      /^[0-9a-f]{12} {2}.*Nothing at all\n$/,
    )
  })
})
