/** The pool of every question of the memory set as it reaches the ranker of notes: the real notebook, index and query path. */

import { join } from 'node:path'
import { onnxEmbedder } from '#dist/adapters/embedders/onnx.js'
import { embedderSpecs } from '#dist/adapters/embedders/specs.js'
import { staticEmbedder } from '#dist/adapters/embedders/static.js'
import { modelStore } from '#dist/adapters/models/store.js'
import { sqliteStore } from '#dist/adapters/stores/sqlite/index.js'
import { indexDirectory, quarryDirectories } from '#dist/config/directories.js'
import type { Embedder } from '#dist/core/ports.js'
import type { Candidate } from '#dist/core/questions.js'
import type { Settings } from '#dist/core/settings.js'
import { openQuarry } from '#dist/index.js'
import type { Plan } from '#dist/retrieval/plan.js'
import { query } from '#dist/retrieval/query.js'
import { readTimeWords } from '#dist/text/time-words.js'
import { turnsOf } from '#dist/text/turns.js'
import type { Conversation, MemoryQuestion } from './memory-set.js'

export interface TurnPool {
  readonly conversation: string
  readonly question: MemoryQuestion
  readonly plan: Plan
  readonly candidates: readonly Candidate[]
  /** The id that the set gives the turn of each candidate. */
  readonly ids: readonly string[]
}

export type Stage = 'first' | 'full'

const POOL = 150

export const memoryEnvironment = (scratch: string) => ({
  ...process.env,
  QUARRY_HOME: join(scratch, 'memory-home'),
  QUARRY_BACKGROUND: '0',
})

/** Takes the conversation in, and waits for every vector. */
export const openConversation = async (conversation: Conversation, scratch: string) => {
  const { root, file } = await conversation.write(scratch)
  const quarry = await openQuarry({ root, environment: memoryEnvironment(scratch) })
  await quarry.notes.add([file])
  await quarry.index({ stage: 'full' })
  return quarry
}

export async function* turnPools(
  conversations: readonly Conversation[],
  scratch: string,
  stage: Stage,
): AsyncGenerator<TurnPool> {
  const embedders = new Map<string, Embedder>()
  for (const conversation of conversations) {
    const quarry = await openConversation(conversation, scratch)
    const turns = new Map<string, readonly { readonly id?: string }[]>()
    const speakers = new Set<string>()
    for (const { name } of await quarry.notes.list()) {
      const own = turnsOf((await quarry.notes.show(name)).text)
      turns.set(name, own)
      for (const { speaker } of own) speakers.add(speaker)
    }
    const directories = quarryDirectories(memoryEnvironment(scratch))
    const directory = join(indexDirectory(directories.data, quarry.root), 'notes')
    const index = await sqliteStore({ directory, root: quarry.root }).openReader()
    const settings = flat(quarry.settings)
    const models = stage === 'first' ? ['static'] : [...settings.embedding.models, 'static']
    for (const model of models)
      if (!embedders.has(model)) embedders.set(model, await load(model, settings, directories.cache))
    for (const question of conversation.questions) {
      const { since, until } = readTimeWords(question.text, Date.now())
      const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
      const { plan, candidates } = await query(
        question.text,
        {
          ...{ index, reranker: null, expander: null, words: embedders.get('static')! },
          embedders: models.map(model => embedders.get(model)!),
        },
        {
          ...{ source: 'note', settings, filter: {}, limit: POOL, now: Date.now() },
          ...{ speakers: [...speakers], period },
        },
      )
      const ids = candidates.map(({ chunk }) => turns.get(chunk.document)?.[chunk.ordinal]?.id ?? '')
      yield { conversation: conversation.name, question, plan, candidates, ids }
    }
    await index.close()
    await quarry.close()
  }
  for (const embedder of embedders.values()) await embedder.close()
}

const load = async (model: string, { embedding }: Settings, cache: string): Promise<Embedder> => {
  if (model === 'static') return staticEmbedder()
  const files = await modelStore({ directory: join(cache, 'models'), offline: false }).pull(model)
  return onnxEmbedder(files, embedderSpecs[model]!, { maxTokens: embedding.maxTokens, threads: 1 })
}

/** Everything after the pool switched off. */
const flat = (settings: Settings): Settings => ({
  ...settings,
  pool: POOL,
  multiHop: { ...settings.multiHop, enabled: false },
  priors: { enabled: false },
  rerank: { ...settings.rerank, enabled: false },
  recency: { ...settings.recency, weight: 0 },
  diversity: { maxPerFile: 0 },
})
