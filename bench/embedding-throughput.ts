/**
 * How fast texts become vectors, against a bare loop over the ONNX runtime with the same tokens in the same run.
 *
 *   node build/bench/embedding-throughput.js [--model all-MiniLM-L6-v2] [--models DIR] [--texts 60] [--rounds 3]
 *
 * Bare loop and embedder take turns, because the machine is shared: only the ratio within a run means something.
 * Prints one JSON line for each setting; the throughput is the median over the rounds.
 */

import { readdir, readFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as runtime from 'onnxruntime-node'
import { onnxEmbedder } from '#dist/adapters/embedders/onnx.js'
import { embedderSpecs } from '#dist/adapters/embedders/specs.js'
import type { ModelFiles } from '#dist/adapters/models/model-files.js'
import { modelStore } from '#dist/adapters/models/store.js'
import { loadTokenizer } from '#dist/adapters/onnx/tokenizer.js'

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'all-MiniLM-L6-v2' },
    models: { type: 'string', default: join(tmpdir(), 'quarry-test-models') },
    texts: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
  },
})

interface Setting {
  readonly maxTokens: number
  readonly threads: number
  readonly workers: number
}

const settings: readonly Setting[] = [64, 128, 192, 256].flatMap(maxTokens => [
  { maxTokens, threads: 1, workers: 1 },
  { maxTokens, threads: 2, workers: 1 },
  { maxTokens, threads: 1, workers: 2 },
])

const files = await modelStore({ directory: values.models, offline: false }).pull(values.model)
const texts = await sourceTexts(Number(values.texts))
for (const setting of settings) console.log(JSON.stringify(await compare(files, texts, setting)))

async function compare(files: ModelFiles, texts: readonly string[], setting: Setting) {
  const spec = embedderSpecs[files.name]
  if (!spec) throw new Error(`${files.name} is not an embedding model`)
  const embedder = onnxEmbedder(files, spec, setting)
  const bare = await bareLoop(files, texts, setting)
  await embedder.embed(texts, 'passage') // loads every worker
  const bareRates: number[] = []
  const ourRates: number[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    bareRates.push(await rate(texts.length, bare.run))
    ourRates.push(await rate(texts.length, () => embedder.embed(texts, 'passage')))
  }
  await embedder.close()
  await bare.close()
  const [bareRate, ourRate] = [median(bareRates), median(ourRates)]
  return {
    model: files.name,
    ...setting,
    texts: texts.length,
    meanTokens: Math.round(bare.meanTokens),
    bareThreads: bare.threads,
    barePerSecond: round1(bareRate),
    oursPerSecond: round1(ourRate),
    ratio: Number((ourRate / bareRate).toFixed(3)),
    cores: cpus().length,
  }
}

/** One session with all the threads of the setting, tokens made beforehand, vectors thrown away. */
async function bareLoop(files: ModelFiles, texts: readonly string[], setting: Setting) {
  const { encode } = await loadTokenizer(files.tokenizer)
  const threads = setting.threads * setting.workers
  const session = await runtime.InferenceSession.create(files.model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  })
  const feeds = texts.map(text => {
    const { ids } = encode(text, setting.maxTokens)
    const tensor = (fill: (position: number) => bigint) =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, (_, position) => fill(position)),
        [1, ids.length],
      )
    return {
      input_ids: tensor(position => BigInt(ids[position] ?? 0)),
      attention_mask: tensor(() => 1n),
      token_type_ids: tensor(() => 0n),
    }
  })
  const run = async () => {
    for (const feed of feeds) await session.run(feed)
  }
  const meanTokens = feeds.reduce((sum, feed) => sum + (feed.input_ids.dims[1] ?? 0), 0) / feeds.length
  await run()
  return { run, threads, meanTokens, close: () => session.release() }
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (1000 * count) / (performance.now() - start)
}

/** Real code: pieces of 1,500 characters with their path, as chunks are embedded. */
async function sourceTexts(count: number): Promise<string[]> {
  const root = join(import.meta.dirname, '../../node_modules')
  const pieces: string[] = []
  for (const name of ['commander/lib', 'zod/v4/core', 'fast-check/lib', 'vitest/dist']) {
    const names = await readdir(join(root, name), { recursive: true }).catch(() => [])
    for (const file of names
      .filter(entry => /\.[cm]?js$/.test(entry))
      .sort()
      .slice(0, 40)) {
      const text = await readFile(join(root, name, file), 'utf8')
      pieces.push(`${name}/${file}\n${text.slice(0, 1_500)}`)
    }
  }
  const step = Math.max(1, Math.floor(pieces.length / count))
  return pieces.filter((_, position) => position % step === 0).slice(0, count)
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function round1(value: number): number {
  return Math.round(value * 10) / 10
}
