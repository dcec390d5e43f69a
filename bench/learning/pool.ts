/**
 * The pool of every question of a set, as it reaches the learned ranker: the real index, the real query path with its later
 * stages switched off. Training and ablations work on these pools, so nothing is simulated.
 */

import { join } from 'node:path'
import { onnxEmbedder } from '#dist/adapters/embedders/onnx.js'
import { embedderSpecs } from '#dist/adapters/embedders/specs.js'
import { staticEmbedder } from '#dist/adapters/embedders/static.js'
import { modelStore } from '#dist/adapters/models/store.js'
import { sqliteStore } from '#dist/adapters/stores/sqlite/index.js'
import { indexDirectory, quarryDirectories } from '#dist/config/directories.js'
import type { Embedder, Reranker } from '#dist/core/ports.js'
import type { Candidate } from '#dist/core/questions.js'
import type { Settings } from '#dist/core/settings.js'
import { worthOfCode } from '#dist/engine/worth-models.js'
import { openQuarry } from '#dist/index.js'
import type { BenchQuery } from '#dist/measuring/sets/shape.js'
import type { Plan } from '#dist/retrieval/plan.js'
import { query } from '#dist/retrieval/query.js'
import type { Corpus } from '../sets/shape.js'

export interface Pool {
  readonly corpus: Corpus
  readonly query: BenchQuery
  readonly plan: Plan
  readonly candidates: readonly Candidate[]
  /** For each target the positions of the candidates that hit it. */
  readonly targets: readonly (readonly number[])[]
}

const ISSUE_SAMPLE = 5

/** Every issue has a state of its repository to itself, which must be indexed: a sample of them will do. */
export const sampleOf = (set: {
  readonly name: string
  readonly corpora: readonly Corpus[]
}): readonly Corpus[] =>
  set.name === 'issues' ? set.corpora.filter((_, position) => position % ISSUE_SAMPLE === 0) : set.corpora

/** `first` sees the static vectors only, as in the first second; `full` sees those of the model. */
export type Stage = 'first' | 'full'

export interface PoolOptions {
  readonly scratch: string
  readonly stage: Stage
  /** Merged over the defaults, by dotted key. */
  readonly overrides?: Readonly<Record<string, unknown>>
}

export async function* poolsOf(corpora: readonly Corpus[], options: PoolOptions): AsyncGenerator<Pool> {
  const environment = { ...process.env, QUARRY_HOME: join(options.scratch, 'home') }
  for (const corpus of corpora) {
    const root = await corpus.prepare(options.scratch)
    const quarry = await openQuarry({
      root,
      environment,
      ...(options.overrides && { overrides: options.overrides }),
    })
    await quarry.index({ stage: options.stage, history: false })
    const settings = flat(quarry.settings)
    const directories = quarryDirectories(environment)
    const directory = indexDirectory(directories.data, quarry.root)
    const index = await sqliteStore({ directory, root: quarry.root }).openReader()
    const worthy = settings.embedding.models.slice(0, worthOfCode(settings)(await index.state()))
    const models = options.stage === 'first' ? ['static'] : worthy
    const embedders = await embeddersFor(models, settings, directories.cache)
    for (const benchQuery of corpus.queries) {
      const { plan, candidates } = await query(
        benchQuery.text,
        { index, embedders, reranker: null as Reranker | null, expander: null },
        { source: 'code', settings, filter: {}, limit: settings.pool, now: Date.now() },
      )
      const targets = benchQuery.targets.map(target =>
        candidates.flatMap(({ chunk }, position) => (corpus.matches(chunk, target) ? [position] : [])),
      )
      yield { corpus, query: benchQuery, plan, candidates, targets }
    }
    await index.close()
    await quarry.close()
  }
  for (const embedder of opened.values()) await embedder.close()
  opened.clear()
}

/** Everything after the pool switched off. */
const flat = (settings: Settings): Settings => ({
  ...settings,
  multiHop: { ...settings.multiHop, enabled: false },
  priors: { enabled: false },
  rerank: { ...settings.rerank, enabled: false },
  recency: { ...settings.recency, weight: 0 },
  diversity: { maxPerFile: 0 },
})

const opened = new Map<string, Embedder>()

const embeddersFor = async (
  models: readonly string[],
  settings: Settings,
  cache: string,
): Promise<readonly Embedder[]> => {
  const { maxTokens, threads } = settings.embedding
  const load = async (model: string): Promise<Embedder> => {
    if (model === 'static') return staticEmbedder()
    const files = await modelStore({ directory: join(cache, 'models'), offline: false }).pull(model)
    return onnxEmbedder(files, embedderSpecs[model]!, { maxTokens, threads: threads || 2 })
  }
  const embedders: Embedder[] = []
  for (const model of models) {
    const embedder = opened.get(model) ?? (await load(model))
    opened.set(model, embedder)
    embedders.push(embedder)
  }
  return embedders
}
