import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { realModel } from '../adapters/models/real-model.js'
import { largeRepository, smallRepository } from './repository.js'
import { type Scene, story } from './story.js'

const POLLING = { timeout: 120_000, interval: 200 }

/** The user's own settings file: a project may not say where models are. */
const useRealModel = async ({ home }: Scene): Promise<void> => {
  const { model } = await realModel('all-MiniLM-L6-v2')
  const settings = [
    'offline = true',
    '[embedding]',
    'models = ["all-MiniLM-L6-v2"]',
    '[models.paths]',
    `"all-MiniLM-L6-v2" = ${JSON.stringify(modelFolder(model))}`,
  ]
  mkdirSync(join(home, 'config'), { recursive: true })
  writeFileSync(join(home, 'config/config.toml'), settings.join('\n'))
}

const modelFolder = (file: string): string =>
  file.slice(0, file.indexOf('all-MiniLM-L6-v2') + 'all-MiniLM-L6-v2'.length)

const vectorsAreComplete = ({ run }: Scene): Promise<void> =>
  expect
    .poll(async () => {
      const { vectors } = JSON.parse((await run('status', '--json')).stdout).index
      return Object.entries(vectors).find(([id]) => id.startsWith('all-MiniLM'))?.[1]
    }, POLLING)
    .toBe(1)

describe('the process', () => {
  story('Ctrl-C ends an index run with 130, and the next run finishes it', async scene => {
    largeRepository(scene, 1500)
    const run = scene.start({}, 'index', '--fast', '--progress=json')
    await run.said('"stage":"chunk"')
    run.process.kill('SIGINT')
    const { code, stderr } = await run.ended()
    expect(code).toBe(130)
    expect(stderr).not.toContain('    at ')
    const resumed = await scene.run('index', '--fast', '--json')
    expect(resumed.code).toBe(0)
    const { added, changed, unchanged } = JSON.parse(resumed.stdout)
    expect(added + changed + unchanged).toBe(1500)
  })

  story('an index run that is interrupted says what becomes of it', async scene => {
    largeRepository(scene, 1500)
    const run = scene.start({}, 'index', '--fast')
    await run.said('indexing')
    run.process.kill('SIGINT')
    const { code, stderr } = await run.ended()
    expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted: what was made stays')])
  })

  story('a second indexer is told who is at work and ends with 75', async scene => {
    largeRepository(scene, 1500)
    const first = scene.start({}, 'index', '--fast', '--progress=json')
    await first.said('"stage":"chunk"')
    first.process.kill('SIGSTOP')
    try {
      const second = await scene.run('index', '--fast', '--json')
      expect(second.code).toBe(75)
      const { error } = JSON.parse(second.stderr)
      expect(error.code).toBe('INDEX_LOCKED')
      expect(error.message).toContain(String(first.process.pid))
    } finally {
      first.process.kill('SIGCONT')
    }
    expect((await first.ended()).code).toBe(0)
  })

  story('a reader who stops reading is no error', async scene => {
    smallRepository(scene)
    for (let file = 0; file < 40; file++)
      scene.write(`many/${file}.ts`, `export const invoice${file} = "${'x'.repeat(3000)}"\n`)
    const run = scene.start({ stdin: 'invoice\n'.repeat(200) }, 'search', '--queries', '-', '-k', '50')
    run.process.stdout.once('data', () => run.process.stdout.destroy())
    const { code, stderr } = await run.ended()
    expect([code, stderr]).toEqual([0, ''])
  })

  story('Ctrl-C ends a wait for questions, and SIGTERM too', async scene => {
    smallRepository(scene)
    for (const [signal, expected] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const run = scene.start({ stdin: 'open' }, 'search', '--queries', '-', '-k', '1')
      run.process.stdin.write('invoice\n')
      await once(run.process.stdout, 'data')
      run.process.kill(signal)
      const { code, stdout, stderr } = await run.ended()
      expect([signal, code, stderr]).toEqual([signal, expected, ''])
      expect(JSON.parse(stdout).query).toBe('invoice')
    }
  })

  story('index leaves the slow vectors to a process behind it, which ends by itself', async scene => {
    smallRepository(scene)
    await useRealModel(scene)
    const behind = { environment: { QUARRY_BACKGROUND: '1' } }
    expect((await scene.runWith(behind, 'index', '--fast')).stderr).not.toContain('behind')
    const { code, stderr } = await scene.runWith(behind, 'index')
    expect(code).toBe(0)
    expect(stderr).toContain('vectors are being made behind')
    await vectorsAreComplete(scene)
    // It holds the lock until its last breath.
    await expect.poll(() => scene.run('index', '--fast').then(ran => ran.code), POLLING).toBe(0)
    expect((await scene.runWith(behind, 'index')).stderr).not.toContain('behind')
    const { stdout, stderr: closing } = await scene.run('search', 'calls again after a failure')
    expect(stdout).toMatch(/^src\/http\/retry\.ts:/)
    expect(closing).toContain('vectors complete')
  })

  story('a first search has its vectors made behind it too', async scene => {
    smallRepository(scene)
    await useRealModel(scene)
    const ran = await scene.runWith(
      { environment: { QUARRY_BACKGROUND: '1' } },
      'search',
      'invoice',
      '--json',
    )
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    await vectorsAreComplete(scene)
    await expect.poll(() => scene.run('index', '--fast').then(({ code }) => code), POLLING).toBe(0)
  })

  story('index --wait makes every vector before it returns', async scene => {
    smallRepository(scene)
    await useRealModel(scene)
    const { code, stdout } = await scene.run('index', '--wait', '--json')
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ pendingVectors: 0, warnings: [] })
    expect(report.embedded).toBeGreaterThan(0)
  })

  story('nothing runs behind when the model is missing and the network forbidden', async scene => {
    smallRepository(scene)
    const ran = await scene.runWith({ environment: { QUARRY_BACKGROUND: '1' } }, 'index', '--offline')
    expect(ran.code).toBe(0)
    expect(ran.stderr).not.toContain('behind')
  })

  story('a first search says which models it has fetched behind it, and how to prevent that', async scene => {
    smallRepository(scene)
    // Nobody listens there: the process behind ends at once.
    const nowhere = { QUARRY_MODELS_HUB: 'http://127.0.0.1:9', QUARRY_MODELS_REGISTRY: 'http://127.0.0.1:9' }
    const conditions = { environment: { QUARRY_BACKGROUND: '1', ...nowhere } }
    const { stderr } = await scene.runWith(conditions, 'search', 'invoice')
    expect(stderr).toMatch(/^downloading 1 model \(24 MB\) behind.*--offline/m)
    await expect.poll(() => scene.run('index', '--fast').then(({ code }) => code), POLLING).toBe(0)
    expect((await scene.run('search', 'invoice')).stderr).not.toContain('downloading')
  })

  story('a directory without files has nothing fetched', async scene => {
    const nowhere = { QUARRY_MODELS_HUB: 'http://127.0.0.1:9', QUARRY_MODELS_REGISTRY: 'http://127.0.0.1:9' }
    const { code, stderr } = await scene.runWith(
      { environment: { QUARRY_BACKGROUND: '1', ...nowhere } },
      'search',
      'invoice',
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('There are no files to search here')])
    expect(stderr).not.toContain('downloading')
  })

  story('a full disk behind stdout is told, with its own exit code', async scene => {
    smallRepository(scene)
    const { code, stderr } = await scene.runWith({ shell: 'exec >/dev/full' }, 'search', 'invoice')
    expect([code, stderr]).toEqual([74, expect.stringContaining('error: No room is left to write')])
  })

  story('an error shows its trace only on request', async scene => {
    const broken = ['search', 'x', '--repo', '/no/such']
    expect((await scene.run(...broken)).stderr).not.toContain('    at ')
    const traced = await scene.runWith({ environment: { QUARRY_DEBUG: '1' } }, ...broken)
    expect(traced.stderr).toContain('    at ')
  })
})
