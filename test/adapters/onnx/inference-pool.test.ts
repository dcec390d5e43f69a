/** Workers that die, hang and are cancelled. The crashes are real ones: SIGKILL and SIGSEGV of a real process. */

import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onnxEmbedder } from '../../../dist/adapters/embedders/onnx.js'
import { embedderSpecs } from '../../../dist/adapters/embedders/specs.js'
import { inferencePool } from '../../../dist/adapters/onnx/inference-pool.js'
import { realModel } from '../models/real-model.js'
import { modelOnDisk, onnxBytes, tokenizerJson, tokenRows } from './tiny-model.js'

/** Compiled by `npm run build`: Node 20 runs no TypeScript. */
const SCRIPT = fileURLToPath(new URL('../../../build/test/processes/crashing-worker.js', import.meta.url))
const DIST = fileURLToPath(new URL('../../../dist', import.meta.url))

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quarry-pool-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function crashingPool(options: { jobMilliseconds?: number; threads?: number } = {}) {
  const log = join(await temporary(), 'log')
  await writeFile(log, '')
  const { jobMilliseconds = 20_000, threads = 1 } = options
  const setup = { model: log, threads, expect: { output: 'hidden', dimensions: 1 } } as const
  const pool = inferencePool({ setup, script: SCRIPT, jobMilliseconds })
  onTestFinished(() => pool.close())
  const job = (order: number, value = 0) =>
    ({ kind: 'vector', ids: Int32Array.of(order, value), pooling: 'mean' }) as const
  const lines = async (start: string) =>
    (await readFile(log, 'utf8')).split('\n').filter(line => line.startsWith(start))
  return { pool, job, lines }
}

/** Process ids of the children of a process. */
async function childrenOf(parent: number): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    const status = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : ''
    if (Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.push(Number(name))
  }
  return found
}

describe('a worker that crashes', () => {
  it('is started again, and only the text that kills it is given up', async () => {
    const { pool, job, lines } = await crashingPool()
    const jobs = [job(0, 10), job(0, 11), job(1, 12), job(0, 13), job(0, 14)]
    const results = await Promise.all(jobs.map(one => pool.run(one)))
    expect(results.map(result => result?.[0] ?? null)).toEqual([10, 11, null, 13, 14])
    expect(await lines('start')).toHaveLength(3)
  })

  it('is given up after three restarts, with a hint', async () => {
    const { pool, job, lines } = await crashingPool({ threads: 9 })
    const outcome = { code: 'INTERNAL', message: expect.stringContaining('SIGSEGV'), hint: 'quarry doctor' }
    const both = await Promise.allSettled([pool.run(job(0)), pool.run(job(0))])
    expect(both).toMatchObject([{ reason: outcome }, { reason: outcome }])
    expect(await lines('start')).toHaveLength(4)
    await expect(pool.run(job(0))).rejects.toMatchObject(outcome)
  })

  it('in the middle of real work changes nothing in the result', async () => {
    const files = await realModel('all-MiniLM-L6-v2')
    const spec = embedderSpecs['all-MiniLM-L6-v2']!
    const texts = Array.from({ length: 60 }, (_, row) => `row ${row} of a longer text. `.repeat(30))
    const calm = onnxEmbedder(files, spec, { maxTokens: 128, threads: 1 })
    const expected = await calm.embed(texts, 'passage')
    await calm.close()
    const before = new Set(await childrenOf(process.pid))
    const embedder = onnxEmbedder(files, spec, { maxTokens: 128, threads: 1 })
    await embedder.embed(['warm'], 'passage')
    const work = embedder.embed(texts, 'passage')
    for (let kill = 0; kill < 3; kill++) {
      await sleep(60)
      for (const pid of await childrenOf(process.pid)) if (!before.has(pid)) process.kill(pid, 'SIGKILL')
    }
    expect(await work).toEqual(expected)
    await embedder.close()
  })
})

it.each(['process', 'thread'])(
  'a worker that is a %s leaves nothing in the home directory',
  async isolation => {
    const files = await modelOnDisk(
      onnxBytes({ dimensions: 2, tokens: tokenRows(2, [[1, 0]]) }),
      tokenizerJson(['word']),
    )
    const home = await temporary()
    const program = `
    import { onnxEmbedder } from '${DIST}/adapters/embedders/onnx.js'
    const spec = { ...(await import('${DIST}/adapters/embedders/specs.js')).embedderSpecs['all-MiniLM-L6-v2'], dimensions: 2 }
    const files = ${JSON.stringify(files)}
    const embedder = onnxEmbedder(files, spec, { maxTokens: 16, threads: 1, isolation: '${isolation}' })
    console.log((await embedder.embed(['word'], 'passage')).length)
    await embedder.close()`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH, HOME: home },
    })
    expect([stdout.trim(), await readdir(home)]).toEqual(['1', []])
  },
)

it('a worker that hangs is killed and its job given up', async () => {
  const { pool, job } = await crashingPool({ jobMilliseconds: 400 })
  const results = await Promise.all([pool.run(job(2)), pool.run(job(0, 5))])
  expect(results.map(result => result?.[0] ?? null)).toEqual([null, 5])
})

it('questions overtake passages', async () => {
  const { pool, job, lines } = await crashingPool()
  const passages = Array.from({ length: 10 }, (_, row) => pool.run(job(3, row)))
  await pool.run(job(3, 99), { urgent: true })
  const done = await lines('job')
  expect(done.length).toBeLessThanOrEqual(6)
  await Promise.all(passages)
})

it('cancelling rejects at once and the pool works on', async () => {
  const { pool, job } = await crashingPool()
  const controller = new AbortController()
  const waiting = Array.from({ length: 20 }, (_, row) => pool.run(job(3, row), { signal: controller.signal }))
  const outcomes = Promise.allSettled(waiting)
  controller.abort()
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } })
  await expect(pool.run(job(0), { signal: controller.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
  expect((await pool.run(job(0, 7)))?.[0]).toBe(7)
})

it('closing ends the worker and whatever waits for it', async () => {
  const { pool, job, lines } = await crashingPool()
  await pool.run(job(0))
  const waiting = pool.run(job(3))
  const outcome = expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
  await pool.close()
  await outcome
  const pid = Number((await lines('start'))[0]?.split(' ')[1])
  expect(() => process.kill(pid, 0)).toThrow()
})

it('a worker ends with its parent, however that ends', async () => {
  const files = await realModel('all-MiniLM-L6-v2')
  const program = `
    const { onnxEmbedder } = await import(${JSON.stringify(`file://${DIST}/adapters/embedders/onnx.js`)})
    const { embedderSpecs } = await import(${JSON.stringify(`file://${DIST}/adapters/embedders/specs.js`)})
    const embedder = onnxEmbedder(${JSON.stringify(files)}, embedderSpecs['all-MiniLM-L6-v2'], { maxTokens: 64 })
    await embedder.embed(['warm'], 'passage')
    console.log('ready')
    await embedder.embed(Array(10_000).fill('some text'), 'passage')`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise(resolve => parent.stdout.once('data', resolve))
  const [worker] = await childrenOf(parent.pid ?? 0)
  expect(worker).toBeGreaterThan(0)
  parent.kill('SIGKILL')
  const isGone = async () =>
    (await readFile(`/proc/${worker}/stat`, 'utf8').catch(() => ' Z ')).includes(' Z ')
  for (let waited = 0; waited < 5_000 && !(await isGone()); waited += 50) await sleep(50)
  expect(await isGone()).toBe(true)
})

it('a process that forgets to close still ends', async () => {
  const files = await realModel('all-MiniLM-L6-v2')
  const program = `
    const { onnxEmbedder } = await import(${JSON.stringify(`file://${DIST}/adapters/embedders/onnx.js`)})
    const { embedderSpecs } = await import(${JSON.stringify(`file://${DIST}/adapters/embedders/specs.js`)})
    for (const isolation of ['process', 'thread']) {
      const options = { maxTokens: 64, isolation }
      await onnxEmbedder(${JSON.stringify(files)}, embedderSpecs['all-MiniLM-L6-v2'], options).embed(['a text'], 'passage')
    }
    console.log('embedded')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 20_000,
  })
  expect(stdout).toBe('embedded\n')
})

it('without the native library the error says what to install', async () => {
  const elsewhere = await temporary()
  await cp(DIST, join(elsewhere, 'dist'), { recursive: true })
  await writeFile(join(elsewhere, 'package.json'), '{"type":"module"}')
  const files = await realModel('all-MiniLM-L6-v2')
  const program = `
    const { onnxEmbedder } = await import(${JSON.stringify(`file://${elsewhere}/dist/adapters/embedders/onnx.js`)})
    const { embedderSpecs } = await import(${JSON.stringify(`file://${elsewhere}/dist/adapters/embedders/specs.js`)})
    for (const isolation of ['process', 'thread']) {
      const embedder = onnxEmbedder(${JSON.stringify(files)}, embedderSpecs['all-MiniLM-L6-v2'], { maxTokens: 64, isolation })
      await embedder.embed(['a text'], 'passage').catch(error => console.log(error.code, error.hint))
      await embedder.close()
    }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout.match(/DEPENDENCY_MISSING npm install onnxruntime-node/g)).toHaveLength(2)
  await symlink(join(DIST, '../node_modules'), join(elsewhere, 'node_modules'))
  const installed = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(installed.stdout).toBe('')
})
