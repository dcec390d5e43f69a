/**
 * How fast texts become vectors with other threads, workers and lengths, against a bare loop over the ONNX runtime with the same
 * tokens in the same run.
 *
 *   npm run bench -- embedding-settings [--only bge-small-en-v1.5]
 *
 * Bare loop and embedder take turns, because the machine is shared: only the ratio within a run means something.
 * Prints one JSON line for each setting; the throughput is the median over the rounds.
 */

import { readdir, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { onnxEmbedder } from '#dist/adapters/embedders/onnx.js'
import { embedderSpecs } from '#dist/adapters/embedders/specs.js'
import type { ModelFiles } from '#dist/adapters/models/model-files.js'
import { modelStore } from '#dist/adapters/models/store.js'
import { bareLoop } from './bare-loop.js'
import { quantile } from './in-turn.js'

const TEXTS = 60
const ROUNDS = 3

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

export const compareSettings = async (scratch: string, model = 'all-MiniLM-L6-v2'): Promise<void> => {
  const store = modelStore({ directory: join(scratch, 'home/cache/models'), offline: false })
  const files = await store.pull(model)
  const texts = await sourceTexts(TEXTS)
  for (const setting of settings) console.log(JSON.stringify(await compare(files, texts, setting)))
}

async function compare(files: ModelFiles, texts: readonly string[], setting: Setting) {
  const spec = embedderSpecs[files.name]
  if (!spec) throw new Error(`${files.name} is not an embedding model`)
  const embedder = onnxEmbedder(files, spec, setting)
  const { maxTokens } = setting
  const bareThreads = setting.threads * setting.workers
  const bare = await bareLoop(files, texts, { maxTokens, threads: bareThreads })
  await bare.run() // the first round is slower
  await embedder.embed(texts, 'passage') // loads every worker
  const bareRates: number[] = []
  const ourRates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bareRates.push(await rate(texts.length, bare.run))
    ourRates.push(await rate(texts.length, () => embedder.embed(texts, 'passage')))
  }
  await embedder.close()
  await bare.close()
  const [bareRate, ourRate] = [quantile(bareRates, 0.5), quantile(ourRates, 0.5)]
  return {
    model: files.name,
    ...setting,
    texts: texts.length,
    meanTokens: Math.round(bare.meanTokens),
    bareThreads,
    barePerSecond: round1(bareRate),
    oursPerSecond: round1(ourRate),
    ratio: Number((ourRate / bareRate).toFixed(3)),
    cores: cpus().length,
  }
}

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (1000 * count) / (performance.now() - start)
}

/** Real code: pieces of 1,500 characters with their path, as chunks are embedded. */
async function sourceTexts(count: number): Promise<string[]> {
  const root = join(import.meta.dirname, '../../../node_modules')
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

function round1(value: number): number {
  return Math.round(value * 10) / 10
}
