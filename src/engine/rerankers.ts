/** The reranker of the settings, if its files are here. `--no-rerank` never comes this far, so it loads no model. */

import { howToGet } from '../adapters/models/catalogue.js'
import type { ModelStore } from '../adapters/models/store.js'
import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Reranker } from '../core/ports.js'
import type { Settings } from '../core/settings.js'

export interface Rerankers {
  chosen(
    isWanted?: boolean,
  ): Promise<{ readonly reranker: Reranker | null; readonly warnings: readonly Warning[] }>
  close(): Promise<void>
}

const LATE_INTERACTION = 'late-interaction'

export const openRerankers = (settings: Settings, models: ModelStore): Rerankers => {
  let loading: Promise<{ reranker: Reranker | null; warnings: readonly Warning[] }> | undefined
  const load = async () => {
    const { model } = settings.rerank
    const late = model === LATE_INTERACTION
    const name = late ? (settings.embedding.models[0] ?? '') : model
    try {
      const files = await models.locate(name)
      if (files === null)
        return { reranker: null, warnings: late ? [] : [missing(name, 'its files are not here')] }
      const reranker = late
        ? (await import('../adapters/rerankers/late-interaction.js')).lateInteraction(files)
        : (await import('../adapters/rerankers/cross-encoder.js')).crossEncoder(files)
      return { reranker, warnings: [] }
    } catch (error) {
      return {
        reranker: null,
        warnings: [missing(name, error instanceof Error ? error.message : String(error), hintOf(error))],
      }
    }
  }
  return {
    async chosen(isWanted = true) {
      if (!isWanted || !settings.rerank.enabled || settings.rerank.weight === 0)
        return { reranker: null, warnings: [] }
      loading ??= load()
      return loading
    },
    async close() {
      await (await loading)?.reranker?.close()
    },
  }
}

const hintOf = (error: unknown): string | undefined => (error instanceof QuarryError ? error.hint : undefined)

const missing = (name: string, why: string, hint = howToGet(name)): Warning => ({
  code: 'RERANKER_MISSING',
  message: `Not reranked with ${name}: ${why}`,
  hint,
})
