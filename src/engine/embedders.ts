/** Which embedders there are: the static table, at hand at once, and the model of the settings, if its files are here. */

import { embedderSpecs } from '../adapters/embedders/specs.js'
import { staticEmbedder } from '../adapters/embedders/static.js'
import type { ModelStore } from '../adapters/models/store.js'
import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Embedder, IndexReader } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import { type ModelsWorth, shareOf } from './worth-models.js'

export interface Embedders {
  readonly quick: Embedder
  /** Null where its files are not here; never downloads. Throws `MODEL_DAMAGED` where they are others. */
  open(model: string, use: 'questions' | 'indexing'): Promise<Embedder | null>
  /** The models of the settings whose files are here, in their order. */
  deep(use: 'questions' | 'indexing', most: number): Promise<readonly Embedder[]>
  /** Those that are worth it and of which the index holds vectors, and what is missing. */
  forQuestions(
    index: IndexReader,
    worth: ModelsWorth,
  ): Promise<{ readonly embedders: readonly Embedder[]; readonly warnings: readonly Warning[] }>
  /** Before the first question of a process: its models load while the tree is looked at. */
  warmUp(openReader: () => Promise<IndexReader>, worth: ModelsWorth): Promise<void>
  close(): Promise<void>
}

export const openEmbedders = (settings: Settings, models: ModelStore): Embedders => {
  const quick = staticEmbedder()
  let isWarm = false
  const loading = new Map<string, Promise<Embedder | null>>()

  /** Long runs are kept apart in a process of their own; a question starts sooner in a thread. */
  const load = async (model: string, isolation: 'process' | 'thread'): Promise<Embedder | null> => {
    const { maxTokens, threads } = settings.embedding
    const files = await models.locate(model)
    if (files === null) return null
    const { onnxEmbedder } = await import('../adapters/embedders/onnx.js')
    return onnxEmbedder(files, specOf(model), { maxTokens, isolation, ...(threads > 0 && { threads }) })
  }

  /** What is wrong with a model costs its vectors, never the answer. */
  const openOrWarn = async (model: string): Promise<Embedder | Warning> => {
    const hint = `quarry models pull ${model}`
    const without = `Searched without the vectors of ${model}`
    try {
      const embedder = await embedders.open(model, 'questions')
      return embedder ?? { code: 'MODEL_MISSING', message: `${without}: its files are not here`, hint }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { code: 'MODEL_DAMAGED', message: `${without}: ${why}`, hint }
    }
  }

  const embedders: Embedders = {
    quick,
    async open(model, use) {
      const key = `${use} ${model}`
      const opening = loading.get(key) ?? load(model, use === 'indexing' ? 'process' : 'thread')
      loading.set(key, opening)
      const embedder = await opening.catch(error => {
        loading.delete(key)
        throw error
      })
      // It may be brought, or mended, while this process runs.
      if (embedder === null) loading.delete(key)
      return embedder
    },
    async deep(use, most) {
      const opened = settings.embedding.models.slice(0, most).map(model => embedders.open(model, use))
      return (await Promise.all(opened)).filter(embedder => embedder !== null)
    },
    async forQuestions(index, worth) {
      const state = await index.state()
      const { vectors, chunks } = state
      const most = worth(state)
      if (chunks === 0) return { embedders: [], warnings: [] }
      const models = settings.embedding.models.slice(0, most)
      const begun = models.filter(model => shareOf(model, vectors) > 0)
      const opened = await Promise.all(begun.map(model => openOrWarn(model)))
      const deep = opened.filter(part => 'id' in part).filter(({ id }) => (vectors[id] ?? 0) > 0)
      const unusable = opened.filter(part => 'code' in part)
      const whole = deep.some(({ id }) => vectors[id] === 1)
      return {
        embedders: whole ? deep : [...deep, quick],
        warnings: [...unusable, ...missingVectors(models, vectors)],
      }
    },
    async warmUp(openReader, worth) {
      if (isWarm) return
      isWarm = true
      // Whatever is wrong with the index is said by the question itself.
      const usable = await openReader()
        .then(index => embedders.forQuestions(index, worth))
        .catch(() => null)
      for (const embedder of usable?.embedders ?? []) embedder.warm?.()
    },
    async close() {
      await quick.close()
      for (const opened of loading.values()) await (await opened.catch(() => null))?.close()
    },
  }
  return embedders
}

const specOf = (model: string) => {
  const spec = (
    embedderSpecs as Readonly<Record<string, (typeof embedderSpecs)[keyof typeof embedderSpecs]>>
  )[model]
  if (spec) return spec
  const known = Object.keys(embedderSpecs).join(', ')
  throw new QuarryError('BAD_CONFIG', `embedding.models names ${model}; there are ${known}`, {
    hint: 'quarry models list',
  })
}

/** How far the model that is furthest has come: `vectors: 62 % embedded`. */
const missingVectors = (
  models: readonly string[],
  vectors: Readonly<Record<string, number>>,
): readonly Warning[] => {
  const shares = models.map(model => shareOf(model, vectors))
  if (shares.every(share => share === 1)) return []
  const percent = Math.floor(
    (100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(1, shares.length),
  )
  return [{ code: 'VECTORS_PARTIAL', message: `vectors: ${percent} % embedded`, hint: 'quarry index --wait' }]
}
