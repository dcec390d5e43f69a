import { setTimeout as pause } from 'node:timers/promises'
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

/** Several batches of commits with several hunks each. */
const longHistory = (scene: Scene, count: number) => {
  const repository = repositoryIn(scene)
  const lines = (number: number): string =>
    Array.from({ length: 40 }, (_, line) => `const value${line} = ${line % 10 === 0 ? number : line}\n`).join(
      '',
    )
  importCommits(
    repository,
    Array.from({ length: count }, (_, number) => ({
      message: `Change ${number}\n\nFor reason ${number * 7}.`,
      files: {
        [`src/file${number % 9}.ts`]: lines(number),
        [`docs/page${number % 5}.md`]: `page ${number}\n`,
      },
      time: FIRST_TIME + number * 60,
    })),
  )
  return repository
}

const KILLS = 15

describe('an index run over history', () => {
  story(
    'killed at any moment leaves whole commits, and the next run ends as if nothing had been',
    async scene => {
      const repository = longHistory(scene, 400)
      const all = expectedCommits(repository)
      const startHistory = async () => {
        const run = scene.start({}, 'index', '--fast', '--progress=json')
        const ended = run.ended()
        await Promise.race([run.said('"stage":"history"'), ended]).catch(() => {})
        return { ended, kill: () => run.process.kill('SIGKILL') }
      }
      const undisturbed = await startHistory()
      const started = performance.now()
      await undisturbed.ended
      const duration = performance.now() - started
      const whole = await dumpHistory(scene)
      let partly = 0
      let there = all
      for (let kill = 0; kill < KILLS; kill++) {
        if (there.length === all.length) await scene.run('purge', '--yes')
        const run = await startHistory()
        // Spread over the whole run, in an order that is none.
        await pause((duration * ((kill * 7) % KILLS)) / KILLS)
        run.kill()
        await run.ended
        // Counts the hunks of each commit too.
        there = await indexedCommits(scene)
        expect(there.filter(sha => !all.includes(sha))).toEqual([])
        expect(new Set(there).size).toBe(there.length)
        if (there.length > 0 && there.length < all.length) partly++
      }
      expect(partly).toBeGreaterThan(0)
      await indexHistory(scene)
      expect(await dumpHistory(scene)).toEqual(whole)
      expect(await indexedCommits(scene)).toEqual(all)
      expect((await scene.run('doctor', '--deep', '--offline')).code).toBe(0)
    },
  )

  story('stopped by Ctrl-C ends with 130, and find takes in the rest', async scene => {
    const repository = longHistory(scene, 400)
    const run = scene.start({}, 'index', '--fast', '--progress=json')
    await run.said('"stage":"history"')
    run.process.kill('SIGINT')
    const { code, stderr } = await run.ended()
    expect(code).toBe(130)
    expect(stderr).not.toContain('    at ')
    expect((await scene.run('status')).stdout).toMatch(/^history +unfinished, /m)
    expect((await find(scene, 'change 7', '-k', '1')).hits).toHaveLength(1)
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
  })

  story(
    'next to another: the second says who is at work and ends with 75, readers are answered',
    async scene => {
      const repository = longHistory(scene, 400)
      const first = scene.start({}, 'index', '--fast', '--progress=json')
      await first.said('"stage":"history"')
      first.process.kill('SIGSTOP')
      try {
        const second = await scene.run('index', '--fast', '--json', '--quiet')
        expect(second.code).toBe(75)
        const { error } = JSON.parse(second.stderr)
        expect([error.code, error.message.includes(String(first.process.pid))]).toEqual([
          'INDEX_LOCKED',
          true,
        ])
        const purged = await scene.run('purge', '--yes')
        expect(purged.code).toBe(75)
        const { warnings } = await find(scene, 'change')
        expect(warnings).toContainEqual(
          expect.objectContaining({
            code: 'INDEXING',
            message: expect.stringMatching(/^\d+ commits are not in/),
          }),
        )
        expect((await scene.run('status')).code).toBe(0)
      } finally {
        first.process.kill('SIGCONT')
      }
      expect((await first.ended()).code).toBe(0)
      expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    },
  )

  story(
    'of which only the code is being written: purge deletes nothing, and the error is all that is said',
    async scene => {
      const repository = longHistory(scene, 20)
      await indexHistory(scene)
      for (let number = 0; number < 400; number++)
        scene.write(`src/more${number}.ts`, `export const n = ${number}\n`)
      const first = scene.start({}, 'index', '--fast', '--progress=json')
      await first.said('"stage":"chunk"')
      first.process.kill('SIGSTOP')
      try {
        for (const command of [
          ['purge', '--yes'],
          ['index', '--rebuild'],
        ]) {
          const refused = await scene.run(...command, '--json')
          expect(refused.code).toBe(75)
          expect(JSON.parse(refused.stderr).error.code).toBe('INDEX_LOCKED')
        }
        expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
      } finally {
        first.process.kill('SIGCONT')
      }
      expect((await first.ended()).code).toBe(0)
      scene.write('late.ts', 'export const late = true\n')
      const said = await scene.run('index', '--fast', '--json', '--refs', 'no-such-branch')
      expect(JSON.parse(said.stderr).error.code).toBe('BAD_INPUT')
    },
  )

  story('many at once break nothing', async scene => {
    const repository = longHistory(scene, 150)
    const runs = await Promise.all([
      scene.run('index', '--fast'),
      scene.run('index', '--fast'),
      scene.run('find', 'change'),
      scene.run('find', 'change'),
    ])
    for (const { code, stderr } of runs)
      expect([code, stderr]).toEqual([expect.toBeOneOf([0, 1, 75]), expect.anything()])
    expect(runs.some(({ code }) => code === 0)).toBe(true)
    await indexHistory(scene)
    expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
    expect((await scene.run('doctor', '--deep', '--offline')).code).toBe(0)
  })

  story(
    'while the repository changes under it: what was there at the start, and the rest next time',
    async scene => {
      const repository = longHistory(scene, 400)
      const run = scene.start({}, 'index', '--fast', '--progress=json')
      await run.said('"stage":"history"')
      repository.git('reset', '--quiet', '--hard', 'HEAD~100')
      repository.commit('Meanwhile', { 'new.ts': 'meanwhile\n' })
      repository.git('reflog', 'expire', '--expire=now', '--all')
      repository.git('gc', '--quiet', '--prune=now')
      const { code, stderr } = await run.ended()
      expect([code, stderr.includes('    at ')]).toEqual([0, false])
      await find(scene, 'meanwhile')
      expect(await indexedCommits(scene)).toEqual(expectedCommits(repository))
      expect((await find(scene, 'meanwhile', '-k', '1')).hits[0]!.message).toBe('Meanwhile')
    },
  )
})
