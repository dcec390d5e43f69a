/** The whole query path. Each stage takes candidates and returns new ones; what a stage did stands in the ledger. */

import type { Expansion, Warning } from '../core/answers.js'
import type { Embedder, Expander, IndexReader, Reranker } from '../core/ports.js'
import type { Candidate, ChangedLines, ChunkFilter, Period } from '../core/questions.js'
import type { Settings } from '../core/settings.js'
import type { ChunkKind } from '../core/types.js'
import { applyPriors } from '../ranking/apply-priors.js'
import { diversify } from '../ranking/diversify.js'
import { favourRecent } from '../ranking/favour-recent.js'
import { weighCommits } from '../ranking/weigh-commits.js'
import { weighTurns } from '../ranking/weigh-turns.js'
import { expand, joinLanes, rewordedBy } from './expand.js'
import { followHops } from './follow-hops.js'
import { gather } from './gather.js'
import { hearAround } from './hear-around.js'
import { onOneState } from './on-one-state.js'
import { openCommits } from './open-commits.js'
import type { Plan } from './plan.js'
import { refill } from './refill.js'
import { rerank } from './rerank.js'
import { runLanes } from './run-lanes.js'
import { sayDoubts } from './say-doubts.js'
import { understand } from './understand.js'

export interface QueryParts {
  readonly index: IndexReader
  /** Best first; only those of which the index holds vectors. */
  readonly embedders: readonly Embedder[]
  readonly reranker: Reranker | null
  readonly expander: Expander | null
  /** Quick enough to be asked for single words; without it only the same words are alike. */
  readonly words?: Embedder
}

export interface QueryOptions {
  /** What is searched: it decides how the lanes count and what the priors look at. */
  readonly source: ChunkKind
  readonly settings: Settings
  readonly filter: ChunkFilter
  /** Of history: look at nothing but the lines that a change added, or removed. */
  readonly lines?: ChangedLines
  /** Of notes: the time the question speaks of. */
  readonly period?: Period
  /** Of notes: everyone who speaks in them. */
  readonly speakers?: readonly string[]
  readonly limit: number
  readonly now: number
  readonly signal?: AbortSignal
}

export interface QueryResult {
  readonly plan: Plan
  /** Only where the question was worded anew. */
  readonly expansion?: Expansion
  readonly candidates: readonly Candidate[]
  readonly warnings: readonly Warning[]
}

export const query = async (
  question: string,
  parts: QueryParts,
  options: QueryOptions,
): Promise<QueryResult> => {
  const { index, embedders, reranker, expander } = parts
  const { settings, signal } = options
  const plan = await understand(question, index, options)
  const askLanes = (variations: Parameters<typeof runLanes>[0]) =>
    runLanes(variations, plan, index, embedders, signal)
  const askAlone = async (plan: Plan): Promise<readonly Candidate[]> => {
    const found = await gather(await runLanes([plan.asked], plan, index, embedders, signal), plan, index)
    return settings.priors.enabled ? weigh(found, plan) : found
  }
  const firstResults = async () => (await askAlone(plan)).map(({ chunk }) => chunk)
  const last = {
    order: (found: readonly Candidate[]) => favourRecent(found, settings.recency, plan.now),
    show: (found: readonly Candidate[]) =>
      diversify(found, groupOf, settings.diversity.maxPerFile, plan.limit),
  }
  const expanded = await expand(plan, expander, firstResults, index, signal)
  const { results, opened } = await onOneState(index, async () => {
    const alone = await askLanes([plan.asked])
    const results = joinLanes(alone, await askLanes(expanded.variations), plan)
    const fused = await gather(results, plan, index)
    const widened = await followHops(fused, results, plan, index)
    const heard = await hearAround(widened, results, plan, index, parts.words)
    const weighed = settings.priors.enabled ? weigh(heard, { ...plan, ...rewordedBy(expanded) }) : heard
    return { results, opened: await openCommits(weighed, plan, index, reranker?.mostTexts ?? 0, last) }
  })
  const reranked = await rerank(opened, reranker, plan, signal)
  const ordered = last.order(reranked.candidates)
  const candidates = await refill(ordered, results, plan, last.show, askAlone)
  const doubts = sayDoubts(question, plan, expanded.variations, candidates.length > 0)
  return {
    plan,
    ...(expanded.expansion && { expansion: expanded.expansion }),
    candidates,
    warnings: [...doubts, ...expanded.warnings, ...results.warnings, ...reranked.warnings],
  }
}

const weigh = (candidates: readonly Candidate[], plan: Plan): readonly Candidate[] => {
  // Lines alone are ranked by what they say and by nothing else.
  if (plan.lines !== undefined) return candidates
  if (plan.source === 'note') return weighTurns(candidates, plan)
  return plan.source === 'hunk' ? weighCommits(candidates, plan) : applyPriors(candidates, plan)
}

/** What at most so many hits may come of: a file, or all days of a conversation. */
const groupOf = ({ chunk: { kind, path } }: Candidate): string =>
  kind === 'note' && path.startsWith('sessions/') ? path.slice(0, path.lastIndexOf('/')) : path
