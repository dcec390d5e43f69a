import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { expectedCommits, find, indexedCommits, indexHistory, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

/** Takes a loose object away; gives back what puts it back. */
const hide = ({ gitDirectory }: { gitDirectory: string }, id: string): (() => void) => {
  const file = join(gitDirectory, 'objects', id.slice(0, 2), id.slice(2))
  renameSync(file, `${file}.hidden`)
  return () => renameSync(`${file}.hidden`, file)
}

const fiveCommits = (scene: Scene) => {
  const repository = repositoryIn(scene)
  const shas = ['one', 'two', 'three', 'four', 'five'].map(name =>
    repository.commit(`Commit ${name}`, {
      'a.ts': `${name}\n`,
      [`dir/${name}.ts`]: `export const ${name} = 1\n`,
    }),
  )
  return { ...repository, shas }
}

describe('a missing object', () => {
  story('skips its commits with a reason, and they come when the object does', async scene => {
    const repository = fiveCommits(scene)
    const [, , third, fourth] = repository.shas
    const putBack = hide(repository, repository.git('rev-parse', `${third}:dir/three.ts`))
    const report = await indexHistory(scene)
    // Only the third commit shows that file; git may need it for nothing else.
    expect(report.history).toMatchObject({ added: 4, skipped: { 'missing-object': 1 } })
    expect(await indexedCommits(scene)).toEqual(repository.shas.filter(sha => sha !== third).sort())
    const status = await scene.run('status')
    expect([status.code, status.stderr]).toEqual([0, ''])
    expect(status.stdout).toMatch(/^ +1 commit could not be read: quarry status --skipped$/m)
    expect(status.stdout).not.toContain('to take in')
    expect((await scene.run('status', '--skipped')).stdout).toMatch(
      new RegExp(`^missing-object +${third} +.*\\b[0-9a-f]{40}\\b`, 'm'),
    )
    const json = JSON.parse((await scene.run('status', '--json')).stdout)
    expect(json.history).toMatchObject({ missing: 0, skipped: [{ path: third, reason: 'missing-object' }] })
    expect((await find(scene, 'commit four', '-k', '1')).hits[0]!.commit).toBe(fourth)

    // New commits go on top of it, and the hole stays known.
    repository.git('commit', '--quiet', '--allow-empty', '-m', 'Commit six')
    const sixth = repository.git('rev-parse', 'HEAD')
    expect((await indexHistory(scene)).history).toMatchObject({ added: 1, skipped: { 'missing-object': 1 } })
    expect(await indexedCommits(scene)).toContain(sixth)

    putBack()
    expect((await indexHistory(scene)).history).toMatchObject({ added: 1, unchanged: 5, skipped: {} })
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    expect((await scene.run('status')).stdout).not.toContain('could not be read')
  })

  story('of another file does not keep a commit from explaining its lines', async scene => {
    const { gitDirectory, git, commit } = repositoryIn(scene)
    commit('Commit one', { 'a.ts': 'one\n', 'b.ts': 'first\n' })
    const sha = commit('Commit two', { 'a.ts': 'two\n', 'b.ts': 'second\n' })
    commit('Commit three', { 'b.ts': 'three\n' })
    hide({ gitDirectory }, git('rev-parse', `${sha}:b.ts`))
    const { code, stdout } = await scene.run('explain', 'a.ts:1', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).exact[0]).toMatchObject({ commit: sha, message: 'Commit two', share: 1 })
    expect((await scene.run('explain', 'a.ts:1')).stdout).toContain('Commit two')
  })

  story('a missing tree too, and find by itself takes in what came back', async scene => {
    const repository = fiveCommits(scene)
    const putBack = hide(repository, repository.git('rev-parse', `${repository.shas[1]}:dir`))
    const { history } = await indexHistory(scene)
    expect(history.added).toBe(3)
    expect(history.skipped).toEqual({ 'missing-object': 2 })
    putBack()
    expect((await find(scene, 'commit two', '-k', '1')).hits[0]!.commit).toBe(repository.shas[1])
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
  })

  story(
    'a missing commit hides what lies behind it, and nothing that was indexed is lost for good',
    async scene => {
      const repository = fiveCommits(scene)
      await indexHistory(scene)
      const putBack = hide(repository, repository.shas[2]!)
      repository.git('update-ref', 'refs/heads/side', repository.shas[0]!)
      const broken = await scene.run('index', '--fast', '--json')
      expect(broken.code).toBe(0)
      expect(JSON.parse(broken.stdout).history.skipped).toMatchObject({
        'missing-object': expect.any(Number),
      })
      expect((await scene.run('status')).stdout).toMatch(/could not be read/)
      expect((await find(scene, 'commit five', '-k', '1')).hits[0]!.commit).toBe(repository.shas[4])
      putBack()
      await find(scene, 'commit three')
      expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    },
  )

  story('a scope that was chosen is kept although something is missing', async scene => {
    const repository = fiveCommits(scene)
    repository.git('branch', 'old', 'HEAD~2')
    hide(repository, repository.git('rev-parse', `${repository.shas[1]}:dir/two.ts`))
    await indexHistory(scene, '--refs', 'old')
    const expected = [repository.shas[0], repository.shas[2]].sort()
    expect(await indexedCommits(scene)).toEqual(expected)
    await find(scene, 'commit')
    await indexHistory(scene)
    expect(await indexedCommits(scene)).toEqual(expected)
  })

  story('a branch that points at nothing is said, and the others are indexed', async scene => {
    const repository = fiveCommits(scene)
    const nowhere = 'f'.repeat(40)
    repository.write({ '.git/refs/heads/nowhere': `${nowhere}\n` })
    const { history } = await indexHistory(scene)
    expect(history).toMatchObject({ added: 5, skipped: { 'missing-object': 1 } })
    expect((await scene.run('status', '--skipped')).stdout).toMatch(
      new RegExp(`^missing-object +${nowhere} +refs/heads/nowhere points to it`, 'm'),
    )
  })
})
