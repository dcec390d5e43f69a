/** The model store as the front door shows it, and the embedder of the settings, pulled when it is not here yet. */

import { join } from 'node:path'
import { catalogue, howToGet } from '../adapters/models/catalogue.js'
import { type ModelStatus, type ModelStore, modelStore } from '../adapters/models/store.js'
import type { Progress, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Embedder } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { IndexRequest, ModelState, Models } from './api.js'
import type { Embedders } from './embedders.js'

export interface OpenModels {
  readonly store: ModelStore
  readonly door: Models
  /** The first `most` of the deep embedders, downloaded if need be. Without them the index still has its text: a warning, not an error. */
  embedders(
    embedders: Embedders,
    most: number,
    request: Pick<IndexRequest, 'onProgress' | 'signal'>,
  ): Promise<{ readonly deep: readonly Embedder[]; readonly warnings: readonly Warning[] }>
}

export const openModels = (settings: Settings, cacheDirectory: string): OpenModels => {
  const { hub, registry, paths } = settings.models
  const store = modelStore({
    directory: join(cacheDirectory, 'models'),
    offline: settings.offline,
    localPaths: Object.fromEntries(
      Object.entries(paths).map(([name, given]) => [
        name,
        typeof given === 'string' ? { path: given } : given,
      ]),
    ),
    ...(hub === '' ? {} : { hub }),
    ...(registry === '' ? {} : { registry }),
  })
  const chosen = new Set([...settings.embedding.models, settings.rerank.model])
  const describe = (status: ModelStatus): ModelState => ({
    name: status.name,
    role: status.task === 'embedding' ? 'embedder' : 'reranker',
    bytes: status.bytes ?? 0,
    present: status.state === 'ready',
    chosen: chosen.has(status.name),
    directory: status.state === 'missing' ? null : status.directory,
  })
  const stateOf = async (name: string): Promise<ModelState> => {
    const status = (await store.list()).find(entry => entry.name === name)
    if (status) return describe(status)
    throw unknownModel(name)
  }

  return {
    store,
    door: {
      list: async () => (await store.list()).map(describe),
      async pull(name, options = {}) {
        const { onProgress, signal } = options
        await store.pull(name, {
          ...(signal && { signal }),
          ...(onProgress && { onProgress: ({ received, total }) => onProgress(received, total) }),
        })
        return stateOf(name)
      },
      async verify(name) {
        const faults = await store.verify(name)
        if (faults.length > 0) {
          throw new QuarryError('MODEL_DAMAGED', faults.join('; '), { hint: howToGet(name) })
        }
        return stateOf(name)
      },
      pin: (name, directory) => store.pin(name, directory),
      remove: name => store.remove(name),
    },
    async embedders(embedders, most, { onProgress, signal }) {
      const warnings: Warning[] = []
      const worthy = settings.embedding.models.slice(0, most)
      for (const name of worthy) {
        try {
          // One that is damaged is fetched again.
          if ((await store.locate(name).catch(() => null)) !== null) continue
          await store.pull(name, {
            ...(signal && { signal }),
            ...(onProgress && {
              onProgress: ({ received, total }) => onProgress(downloaded(received, total)),
            }),
          })
        } catch (error) {
          if (signal?.aborted) throw error
          warnings.push(notPulled(name, error))
        }
      }
      try {
        return { deep: await embedders.deep('indexing', most), warnings }
      } catch (error) {
        return { deep: [], warnings: [...warnings, notPulled(worthy.join(', '), error)] }
      }
    },
  }
}

const downloaded = (done: number, total: number): Progress => ({
  stage: 'model',
  done,
  total,
  rate: 0,
  etaSeconds: null,
})

const notPulled = (name: string, error: unknown): Warning => ({
  code: 'MODEL_MISSING',
  message: `No vectors of ${name} were made: ${error instanceof Error ? error.message : String(error)}`,
  hint: (error instanceof QuarryError ? error.hint : undefined) ?? howToGet(name),
})

const unknownModel = (name: string): QuarryError =>
  new QuarryError(
    'BAD_INPUT',
    `There is no model ${name}; there are ${catalogue.map(entry => entry.name).join(', ')}`,
    {
      hint: 'quarry models list',
    },
  )
