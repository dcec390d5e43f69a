import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { find, indexedCommits, indexHistory, repositoryIn } from './history-scene.js'
import { type Scene, story } from './story.js'

const DAY = 86_400
const FIRST_DAY = Date.UTC(2020, 0, 1) / 1000

/** Six commits on main, a day after one another, two more on topic and one behind a tag only. */
const branches = (scene: Scene) => {
  const repository = repositoryIn(scene)
  const { commit, git } = repository
  const main = Array.from({ length: 6 }, (_, day) =>
    commit(`Main ${day}`, { 'a.ts': `main ${day}\n` }, { time: FIRST_DAY + day * DAY }),
  )
  git('switch', '--quiet', '--detach', 'main~2')
  const tagged = commit('Tagged', { 't.ts': 'tagged\n' })
  git('tag', 'v1')
  git('switch', '--quiet', '-c', 'topic', 'main~3')
  const topic = ['x', 'y'].map(name => commit(`Topic ${name}`, { [`${name}.ts`]: 'topic\n' }))
  git('switch', '--quiet', 'main')
  return { ...repository, main, topic, tagged }
}

describe('which commits are taken in', () => {
  story('--refs holds until another scope is given', async scene => {
    const { main, topic, tagged, commit, git } = branches(scene)
    await indexHistory(scene, '--refs', 'topic')
    const ofTopic = [...main.slice(0, 3), ...topic].sort()
    expect(await indexedCommits(scene)).toEqual(ofTopic)
    const later = commit('Main later', { 'a.ts': 'later\n' })
    expect((await find(scene, 'main later', '-k', '20')).hits.map(hit => hit.commit)).not.toContain(later)
    await indexHistory(scene)
    expect(await indexedCommits(scene)).toEqual(ofTopic)
    git('switch', '--quiet', 'topic')
    const third = commit('Topic z', { 'z.ts': 'topic\n' })
    expect((await find(scene, 'topic z', '-k', '1')).hits[0]!.commit).toBe(third)

    await indexHistory(scene, '--refs', 'v1,main~1')
    expect(await indexedCommits(scene)).toEqual([...main, tagged].sort())
    await indexHistory(scene, '--refs', 'v*', '--refs', 'topic')
    expect(await indexedCommits(scene)).toEqual([...main.slice(0, 4), tagged, ...topic, third].sort())
    await indexHistory(scene, '--rebuild')
    expect(await indexedCommits(scene)).toEqual([...main, later, ...topic, third].sort())
  })

  story('--since and --max-commits hold too', async scene => {
    const { main, topic, commit } = branches(scene)
    await indexHistory(scene, '--refs', 'main', '--since', '2020-01-04')
    expect(await indexedCommits(scene)).toEqual(main.slice(3).sort())
    await find(scene, 'main')
    expect(await indexedCommits(scene)).toEqual(main.slice(3).sort())
    await indexHistory(scene, '--refs', 'main', '--max-commits', '2')
    expect(await indexedCommits(scene)).toEqual(main.slice(4).sort())
    const newest = commit('Main newest', { 'a.ts': 'newest\n' }, { time: FIRST_DAY + 10 * DAY })
    await find(scene, 'main newest')
    expect(await indexedCommits(scene)).toEqual([main[5], newest].sort())
    for (const flags of [
      ['--max-commits', '0'],
      ['--max-commits', 'x'],
      ['--since', 'someday'],
    ])
      expect((await scene.run('index', ...flags)).code).toBe(2)
    expect(topic).toHaveLength(2)
  })

  story('--no-history leaves it as it is', async scene => {
    const { commit } = branches(scene)
    const report = await indexHistory(scene, '--no-history')
    expect(report.history).toBeUndefined()
    expect((await scene.run('status')).stdout).toMatch(/^history +not indexed, at /m)
    await indexHistory(scene)
    const before = await indexedCommits(scene)
    commit('Unseen', { 'u.ts': 'unseen\n' })
    await indexHistory(scene, '--no-history')
    expect(await indexedCommits(scene)).toEqual(before)
    expect((await scene.run('status')).stdout).toMatch(/1 commit to take in, 0 to drop/)
    const stale = await find(scene, 'unseen', '--no-refresh')
    expect(stale.hits.map(({ message }) => message)).not.toContain('Unseen')
  })

  story('a chosen branch that is gone: the index still answers, and index says which it was', async scene => {
    const { git, topic } = branches(scene)
    await indexHistory(scene, '--refs', 'topic')
    git('branch', '--quiet', '-D', 'topic')
    const { hits, warnings } = await find(scene, 'topic', '-k', '2')
    expect(hits.map(hit => hit.commit).sort()).toEqual([...topic].sort())
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'STALE', message: expect.stringContaining('topic') }),
    )
    const status = await scene.run('status')
    expect([status.code, status.stdout.includes('"topic" names no commit')]).toEqual([0, true])
    const { code, stderr } = await scene.run('index', '--fast')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: "topic" names no commit/m)
    expect((await scene.run('index', '--fast', '--refs', 'main')).code).toBe(0)
    expect((await find(scene, 'main')).warnings).not.toContainEqual(
      expect.objectContaining({ code: 'STALE' }),
    )
  })

  story('purge removes the history too', async scene => {
    branches(scene)
    await indexHistory(scene)
    const { indexDirectory } = JSON.parse((await scene.run('status', '--json')).stdout)
    expect(existsSync(join(indexDirectory, 'history', 'index.sqlite'))).toBe(true)
    expect((await scene.run('purge', '--yes')).code).toBe(0)
    expect(existsSync(join(indexDirectory, 'history', 'index.sqlite'))).toBe(false)
    expect((await scene.run('status')).stdout).toMatch(/^history +not indexed/m)
    expect((await scene.run('find', 'main', '--no-refresh')).code).toBe(2)
    expect((await find(scene, 'main')).hits.length).toBeGreaterThan(0)
  })

  story(
    'refs that are none, or look like something else, are refused before anything happens',
    async scene => {
      branches(scene)
      await indexHistory(scene)
      const before = await indexedCommits(scene)
      const names = [
        ...[
          '--output=x',
          '$(touch x)',
          'main;touch x',
          'main\ntouch x',
          'main..topic',
          'nothing-of-the-kind',
        ],
        ...['nothing*', 'HEAD@{1}', ':/Main', '../../etc/passwd', '', 'a'.repeat(5000)],
      ]
      for (const name of names) {
        const { code, stdout, stderr } = await scene.run('index', '--rebuild', '--json', `--refs=${name}`)
        expect([name, code, stdout]).toEqual([name, 2, ''])
        expect(JSON.parse(stderr).error).toMatchObject({ code: 'BAD_INPUT', hint: expect.any(String) })
      }
      expect(readdirSync(scene.repo).sort()).toEqual(['.git', 'a.ts'])
      expect(await indexedCommits(scene)).toEqual(before)
    },
  )
})
