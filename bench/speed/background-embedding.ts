/**
 * How fast `quarry index` makes the vectors that fill in behind, store and all, against a bare loop over the ONNX runtime with the
 * same texts. Both take turns, some seconds each, because the machine is shared; a run that is cut off is taken up in the next turn.
 */

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { treeSitterChunker } from '#dist/adapters/chunkers/tree-sitter/index.js'
import { modelStore } from '#dist/adapters/models/store.js'
import { sqliteStore } from '#dist/adapters/stores/sqlite/index.js'
import { indexDirectory } from '#dist/config/directories.js'
import type { Settings } from '#dist/core/settings.js'
import { openQuarry } from '#dist/index.js'
import { embeddingText } from '#dist/indexing/prepare.js'
import { bareLoop } from './bare-loop.js'
import { quantile, seconds } from './in-turn.js'
import type { Environment } from './warm-questions.js'

const ROUNDS = 5
const TEXTS_IN_ROUND = 600

/** `home` holds the model and a fast index of `root`; the index keeps the vectors that are made here. */
export const backgroundEmbedding = async (
  root: string,
  home: string,
  environment: Environment,
  model: string,
): Promise<Record<string, number>> => {
  const files = await modelStore({ directory: join(home, 'cache/models'), offline: true }).pull(model)
  const quarry = await openQuarry({ root, environment, overrides: { 'embedding.models': [model] } })
  const { maxTokens } = quarry.settings.embedding
  const threads = Math.min(2, availableParallelism())
  const rates = { ours: [] as number[], bare: [] as number[], ratio: [] as number[] }
  let meanTokens = 0
  for (let round = 0; round < ROUNDS; round++) {
    const texts = await waiting(root, home, `${model}/${files.revision}/${maxTokens}`, quarry.settings)
    const bare = await bareLoop(files, texts, { maxTokens, threads })
    meanTokens = bare.meanTokens
    const bareRate = texts.length / (await seconds(bare.run))
    await bare.close()
    const ours = await embedSome(quarry)
    rates.bare.push(bareRate)
    rates.ours.push(ours)
    rates.ratio.push(ours / bareRate)
  }
  await quarry.close()
  const medians = Object.entries(rates).map(([name, values]) => [name, quantile(values, 0.5)])
  return { ...Object.fromEntries(medians), meanTokens }
}

/** What is embedded next, in its order. */
const waiting = async (
  root: string,
  home: string,
  embedder: string,
  { index: { chunkCharacters } }: Settings,
): Promise<readonly string[]> => {
  const chunker = treeSitterChunker({ chunkCharacters, workers: 1 })
  await chunker.close()
  const store = sqliteStore({ directory: indexDirectory(join(home, 'data'), root), root })
  const writer = await store.openWriter({ root, chunkerId: chunker.id })
  const { chunks } = await writer.pending(embedder, TEXTS_IN_ROUND)
  await writer.close()
  return chunks.map(chunk => embeddingText(chunk, chunk))
}

/** Texts a second, from the first batch on: starting up is not what is measured. */
const embedSome = async (quarry: Awaited<ReturnType<typeof openQuarry>>): Promise<number> => {
  const enough = new AbortController()
  const seen: { readonly done: number; readonly at: number }[] = []
  await quarry
    .index({
      history: false,
      signal: enough.signal,
      onProgress: ({ stage, done }) => {
        if (stage !== 'embed') return
        seen.push({ done, at: performance.now() })
        if (done >= TEXTS_IN_ROUND) enough.abort()
      },
    })
    .catch(error => {
      if (!enough.signal.aborted) throw error
    })
  const from = seen.find(({ done }) => done > 0)!
  const to = seen.at(-1)!
  return (1000 * (to.done - from.done)) / (to.at - from.at)
}
