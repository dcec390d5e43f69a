import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ChunkPlace } from '../../../dist/adapters/chunkers/tree-sitter/cut-text.js'
import { grammarParser } from '../../../dist/adapters/chunkers/tree-sitter/grammar.js'
import { brokenGrammars, treeSitterChunker } from '../../../dist/adapters/chunkers/tree-sitter/index.js'
import { timeLimit } from '../../../dist/adapters/chunkers/tree-sitter/time-limit.js'
import { type WorkerPool, workerPool } from '../../../dist/adapters/chunkers/tree-sitter/worker-pool.js'
import { documentOf, expectCover } from './document.js'

const DIST = new URL('../../../dist/adapters/chunkers/tree-sitter/', import.meta.url)
const GRAMMARS = fileURLToPath(new URL('../../../assets/grammars/', import.meta.url))

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quarry-chunker-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const functions = (count: number): string =>
  Array.from({ length: count }, (_, at) => `function f${at}(a, b) {\n  return [a, b, ${at}]\n}\n`).join('\n')

describe('time limit of the parse', () => {
  it('gives up inside the parser and falls back to lines', async () => {
    const chunker = treeSitterChunker({ workers: 1, parseTimeoutMs: 1 })
    const text = functions(15_000)
    const slow = await chunker.chunk(documentOf('slow.js', 'javascript', text))
    expectCover(text, slow)
    expect(slow.every(({ symbols, header }) => symbols.length === 0 && header === 'slow.js')).toBe(true)
    await chunker.close()
  })

  it('leaves the parser fit for the next document', async () => {
    const chunker = treeSitterChunker({ workers: 1, parseTimeoutMs: 1 })
    const found = []
    for (const text of [functions(15_000), 'let a', functions(15_000), 'let b']) {
      found.push(
        (await chunker.chunk(documentOf('a.js', 'javascript', text))).flatMap(({ symbols }) => symbols),
      )
    }
    expect(found.map(symbols => symbols.map(({ name }) => name))).toEqual([[], ['a'], [], ['b']])
    await chunker.close()
  })
})

describe('hostile texts', () => {
  it.each([
    ['brackets that never close', '('.repeat(60_000)],
    ['blocks that never close', 'if (a) {\n'.repeat(8_000)],
    ['a chain without end', `x = ${'a +\n'.repeat(20_000)}`],
    ['quotation marks', '"\n'.repeat(20_000)],
    ['zero bytes', '\0'.repeat(50_000)],
  ])('of %s come out as chunks', async (_, text) => {
    const chunker = treeSitterChunker({ workers: 1, parseTimeoutMs: 100 })
    const documents = ['javascript', 'python', 'haskell', 'ruby'].map(language =>
      documentOf('hostile', language, text),
    )
    for (const chunks of await Promise.all(documents.map(document => chunker.chunk(document)))) {
      expect(chunks.length).toBeGreaterThan(0)
      expect(
        chunks
          .map(chunk => chunk.text)
          .join('')
          .replace(/\s/g, ''),
      ).toBe(text.replace(/\s/g, ''))
    }
    await chunker.close()
  })
})

describe('time limit', () => {
  const sleep = (milliseconds: number): void => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
  }

  it('counts the time that the thread was running, where the system tells it', () => {
    const isUp = timeLimit(200)
    expect(isUp()).toBe(false)
    sleep(400)
    expect(isUp()).toBe(process.platform !== 'linux')
    sleep(700)
    expect(isUp()).toBe(true)
  })

  it('is up when the thread has worked as long', () => {
    const isUp = timeLimit(50)
    for (const until = performance.now() + 400; performance.now() < until; );
    expect(isUp()).toBe(true)
  })
})

describe('grammars', () => {
  it('that are missing or broken cost the symbols, not the chunks', async () => {
    const grammarsDirectory = join(directory, 'grammars')
    await mkdir(grammarsDirectory)
    await copyFile(join(GRAMMARS, 'lua.wasm'), join(grammarsDirectory, 'lua.wasm'))
    await writeFile(join(grammarsDirectory, 'go.wasm'), 'no wasm at all')
    const chunker = treeSitterChunker({ workers: 1, grammarsDirectory })
    const python = await chunker.chunk(documentOf('a.py', 'python', 'def f():\n    pass\n'))
    const go = await chunker.chunk(documentOf('a.go', 'go', 'package a\n\nfunc F() {}\n'))
    const lua = await chunker.chunk(documentOf('a.lua', 'lua', 'function f() end\n'))
    expect(python).toMatchObject([{ text: 'def f():\n    pass', symbols: [] }])
    expect(go).toMatchObject([{ text: 'package a\n\nfunc F() {}', symbols: [] }])
    expect(lua[0]?.symbols).toHaveLength(1)
    await chunker.chunk(documentOf('b.go', 'go', 'package b\n'))
    expect(chunker.takeUnparsed()).toEqual(['go', 'python'])
    expect(chunker.takeUnparsed()).toEqual([])
    await chunker.close()
    expect(await brokenGrammars({ grammarsDirectory })).not.toContain('lua')
    expect(await brokenGrammars({ grammarsDirectory })).toContain('go')
    expect(await brokenGrammars()).toEqual([])
  })

  it('read a file the same way every time, whatever was read before it', async () => {
    const text = 'local M = {}\n\nfunction M.f(a)\n  return a .. "text"\nend\n\n-- it\'s "open\nreturn M\n'
    const parser = await grammarParser(GRAMMARS)
    const lua = (await parser.load('lua'))!
    const trees = [text, text, 'x = "open', text, '--[==[ open', text, text].map(content => {
      const tree = parser.parse(lua, content, 10_000)
      const shape = tree?.rootNode.toString()
      tree?.delete()
      return { content, shape }
    })
    const shapes = new Set(trees.filter(({ content }) => content === text).map(({ shape }) => shape))
    expect(shapes.size).toBe(1)
    expect([...shapes][0]).not.toContain('ERROR')
  })

  it('are all in the package', async () => {
    expect((await readdir(GRAMMARS)).sort()).toEqual(
      'bash c c_sharp cpp elixir go haskell java javascript kotlin lua php python ruby rust scala swift tsx typescript zig'
        .split(' ')
        .map(name => `${name}.wasm`),
    )
  })
})

/** The shipped worker, under the eyes of the test. */
const shippedWorker = (): Worker =>
  new Worker(new URL('worker.js', DIST), {
    workerData: { grammarsDirectory: GRAMMARS, chunkCharacters: 1_500, parseTimeoutMs: 60_000 },
  })

const scriptedWorker = (script: string): Worker =>
  new Worker(`const { parentPort } = require('node:worker_threads'); ${script}`, { eval: true })

const ANSWER = `parentPort.on('message', job => parentPort.postMessage({ type: 'done', result: { chunks: [] }, memory: 0 }))`

const job = { path: 'a.js', language: 'javascript', text: functions(1_000), asked: 'chunks' } as const

describe('workers', () => {
  const pools: WorkerPool[] = []
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })

  const poolOf = (
    start: () => Worker,
    limits: { size?: number; jobTimeoutMs?: number; loadTimeoutMs?: number } = {},
  ) => {
    const started: Worker[] = []
    const pool = workerPool({
      size: 1,
      jobTimeoutMs: 20_000,
      loadTimeoutMs: 20_000,
      memoryLimit: 150 * 1024 * 1024,
      ...limits,
      start: () => {
        const worker = start()
        started.push(worker)
        return worker
      },
    })
    pools.push(pool)
    return { pool, started }
  }

  it('that are killed in the middle of a parse are replaced, and the document is not lost', async () => {
    // On a busy machine the parse may be over before the blow falls: strike until it hits.
    for (let hits = 0; hits === 0; ) {
      const { pool, started } = poolOf(shippedWorker)
      const answer = pool.run({ ...job, text: functions(14_000) })
      started[0]!.once('message', () => started[0]!.terminate()) // the grammar is loaded: the parse begins
      const { chunks } = (await answer) as { readonly chunks: readonly ChunkPlace[] }
      expect(chunks.flatMap(({ symbols }) => symbols)).toHaveLength(14_000)
      hits = started.length - 1
    }
  })

  it('that die on a document again and again cost it its symbols after three restarts', async () => {
    const { pool, started } = poolOf(() => scriptedWorker(`parentPort.on('message', () => process.exit(1))`))
    expect(await pool.run(job)).toBeUndefined()
    expect(started).toHaveLength(4)
  })

  it('that throw are replaced, and the next document is served', async () => {
    let count = 0
    const { pool, started } = poolOf(() => {
      count += 1
      return scriptedWorker(
        count <= 4 ? `parentPort.on('message', () => { throw new Error('trap') })` : ANSWER,
      )
    })
    expect(await pool.run(job)).toBeUndefined()
    expect(await pool.run(job)).toEqual({ chunks: [] })
    expect(started).toHaveLength(5)
  })

  it('that cannot even start cost the symbols', async () => {
    const { pool } = poolOf(() => new Worker(new URL('no-such-file.js', DIST)))
    expect(await pool.run(job)).toBeUndefined()
  })

  it('that hang are ended, once, and others go on', async () => {
    const hang = `parentPort.on('message', () => { parentPort.postMessage({ type: 'loaded' }); for (;;); })`
    let count = 0
    const { pool, started } = poolOf(
      () => {
        count += 1
        return scriptedWorker(count === 1 ? hang : ANSWER)
      },
      { jobTimeoutMs: 200 },
    )
    const [hanging, next] = await Promise.all([pool.run(job), pool.run(job)])
    expect(hanging).toBeUndefined()
    expect(next).toEqual({ chunks: [] })
    expect(started).toHaveLength(2)
  })

  it('that hang while they load are ended, too', async () => {
    const { pool } = poolOf(() => scriptedWorker('for (;;);'), { loadTimeoutMs: 200 })
    expect(await pool.run(job)).toBeUndefined()
  })

  it('are not blamed when this thread was the busy one', async () => {
    const { pool, started } = poolOf(() => scriptedWorker(ANSWER), {
      jobTimeoutMs: 3_000,
      loadTimeoutMs: 3_000,
    })
    await pool.run(job)
    const answer = pool.run(job)
    for (const until = Date.now() + 3_500; Date.now() < until; );
    expect(await answer).toEqual({ chunks: [] })
    expect(started).toHaveLength(1)
  })

  it('that have grown too large are replaced', async () => {
    const greedy = ANSWER.replace('memory: 0', 'memory: 2 ** 30')
    const { pool, started } = poolOf(() => scriptedWorker(greedy))
    for (let round = 0; round < 3; round += 1) expect(await pool.run(job)).toEqual({ chunks: [] })
    expect(started).toHaveLength(3)
  })

  it('are not started in greater number than asked for, nor than needed', async () => {
    const { pool, started } = poolOf(() => scriptedWorker(ANSWER), { size: 3 })
    for (let round = 0; round < 5; round += 1) await pool.run(job)
    expect(started).toHaveLength(1)
    await Promise.all(Array.from({ length: 20 }, () => pool.run(job)))
    expect(started).toHaveLength(3)
  })

  it('report how much memory their parser holds', async () => {
    const worker = shippedWorker()
    worker.postMessage(job)
    const memory = await new Promise<number>(resolve => {
      worker.on('message', message => message.type === 'done' && resolve(message.memory))
    })
    expect(memory).toBeGreaterThanOrEqual(32 * 1024 * 1024)
    expect(memory).toBeLessThan(150 * 1024 * 1024)
    await worker.terminate()
  })

  it('that are closed reject what they were at and what was waiting', async () => {
    const { pool } = poolOf(() => scriptedWorker(`parentPort.on('message', () => {})`))
    const runs = [pool.run(job), pool.run(job)]
    const settled = Promise.allSettled(runs)
    await pool.close()
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'CANCELLED' } })
    }
    await expect(pool.run(job)).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('give up a waiting job when its signal aborts, with many on the same signal', async () => {
    const warnings: unknown[] = []
    process.on('warning', warning => warnings.push(warning))
    const { pool } = poolOf(() => scriptedWorker(`parentPort.on('message', () => {})`))
    const controller = new AbortController()
    const runs = Promise.allSettled(Array.from({ length: 30 }, () => pool.run(job, controller.signal)))
    controller.abort()
    for (const result of await runs) expect(result).toMatchObject({ reason: { code: 'CANCELLED' } })
    expect(warnings).toEqual([])
  })
})

it('lets the process end while workers are idle, and stays silent', async () => {
  const script = `
    import { treeSitterChunker } from ${JSON.stringify(new URL('index.js', DIST).href)}
    const chunker = treeSitterChunker({ workers: 2 })
    const documents = [1, 2, 3].map(at => ({ kind: 'code', path: 'a.js', language: 'javascript', text: 'let a' + at, contentHash: '', stamp: '', time: 0 }))
    const all = await Promise.all(documents.map(document => chunker.chunk(document)))
    process.stdout.write(String(all.flat().length))`
  const file = join(directory, 'idle.mjs')
  await writeFile(file, script)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { timeout: 30_000 })
  expect([stdout, stderr]).toEqual(['3', ''])
})
