/** Which embedders there are: the static table, at hand at once, and the model of the settings, if its files are here. */

import { embedderSpecs } from '../adapters/embedders/specs.js'
import { staticEmbedder } from '../adapters/embedders/static.js'
import type { ModelStore } from '../adapters/models/store.js'
import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Embedder, IndexReader } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { ModelsWorth } from './worth-models.js'

export interface Embedders {
  readonly quick: Embedder
  /** The models of the settings whose files are here, in their order; never downloads. */
  deep(use: 'questions' | 'indexing', most?: number): Promise<readonly Embedder[]>
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

  const embedders: Embedders = {
    quick,
    async deep(use, most = settings.embedding.models.length) {
      const opened = settings.embedding.models.slice(0, most).map(model => {
        const key = `${use} ${model}`
        const embedder = loading.get(key) ?? load(model, use === 'indexing' ? 'process' : 'thread')
        loading.set(key, embedder)
        return embedder
      })
      return (await Promise.all(opened)).filter(embedder => embedder !== null)
    },
    async forQuestions(index, worth) {
      const state = await index.state()
      const { vectors, chunks } = state
      const most = worth(state)
      if (chunks === 0) return { embedders: [], warnings: [] }
      const begun = Object.keys(vectors).some(id => id !== quick.id && vectors[id]! > 0)
      const deep = begun
        ? (await embedders.deep('questions', most)).filter(({ id }) => (vectors[id] ?? 0) > 0)
        : []
      const whole = deep.some(({ id }) => vectors[id] === 1)
      return {
        embedders: whole ? deep : [...deep, quick],
        warnings: missingVectors(settings.embedding.models.slice(0, most), vectors),
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
  const shares = models.map(model => {
    const id = Object.keys(vectors).find(candidate => candidate.startsWith(`${model}/`))
    return id === undefined ? 0 : vectors[id]!
  })
  if (shares.every(share => share === 1)) return []
  const percent = Math.floor(
    (100 * shares.reduce((sum, share) => sum + share, 0)) / Math.max(1, shares.length),
  )
  return [{ code: 'VECTORS_PARTIAL', message: `vectors: ${percent} % embedded`, hint: 'quarry index --wait' }]
}
