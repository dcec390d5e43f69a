/** Third stage: fuses the lanes' lists and makes candidates of the best, with everything the lanes said about them. */

import type { IndexReader } from '../core/ports.js'
import type { Candidate, LaneName, Signals } from '../core/questions.js'
import type { ChunkId } from '../core/types.js'
import { type Fused, fuse } from '../ranking/fuse.js'
import type { Plan } from './plan.js'
import type { LaneList, LaneResults, QuestionVector } from './run-lanes.js'

export const gather = async (
  results: LaneResults,
  plan: Plan,
  index: IndexReader,
): Promise<readonly Candidate[]> => {
  const { rrfK, pool, multiHop } = plan.settings
  // Of code the rest of a long answer is refilled behind these, so that its beginning does not depend on its length.
  const least = plan.source === 'code' ? 0 : plan.limit
  const wanted = Math.max(pool, multiHop.enabled ? Math.ceil(plan.limit * multiHop.initialMultiplier) : least)
  const fused = fuseLists(results.lists, rrfK)
  const scores = new Map(fused.slice(0, wanted).map(({ id, score }) => [id, score]))
  for (const { id, score } of ownBest(results.lists, fused, rrfK, plan.limit)) scores.set(id, score)
  const ids = [...scores.keys()]
  const signals = await measure(ids, results, index)
  const chunks = await index.chunks(ids)
  return chunks.map(chunk => {
    const score = scores.get(chunk.id)!
    const seen = signals.get(chunk.id)!
    return {
      chunk,
      score,
      signals: seen,
      ledger: [...laneLines(seen), { stage: 'fusion', score, why: 'reciprocal ranks' }],
    }
  })
}

const fuseLists = (lists: readonly LaneList[], k: number): readonly Fused[] =>
  fuse(
    lists.map(({ ranked, weight }) => ({ ids: ranked.map(({ id }) => id), weight })),
    k,
  )

/** Whatever rewrites bring, what the question itself finds first stays in the pool. */
const ownBest = (
  lists: readonly LaneList[],
  fused: readonly Fused[],
  k: number,
  count: number,
): readonly Fused[] => {
  const own = lists.filter(({ isOriginal }) => isOriginal)
  if (own.length === lists.length) return []
  const best = new Set(
    fuseLists(own, k)
      .slice(0, count)
      .map(({ id }) => id),
  )
  return fused.filter(({ id }) => best.has(id))
}

/** What each lane and each embedder says of these chunks, whether or not the chunk made it into that lane's list. */
export const measure = async (
  ids: readonly ChunkId[],
  { lists, vectors }: LaneResults,
  index: IndexReader,
): Promise<Map<ChunkId, Signals>> => {
  const cosines = await cosinesOf(ids, vectors, index)
  const views = groupsOf(lists).map(viewOf)
  const measured = new Map<ChunkId, Signals>()
  for (const id of ids) {
    const ranks: Partial<Record<LaneName, number>> = {}
    const strengths: Partial<Record<LaneName, number>> = {}
    for (const { lane, places } of views) {
      const place = places.get(id)
      if (place === undefined) continue
      ranks[lane] = Math.min(ranks[lane] ?? Number.POSITIVE_INFINITY, place.rank)
      strengths[lane] = Math.max(strengths[lane] ?? 0, place.strength)
    }
    measured.set(id, { ranks, strengths, cosines: cosines.get(id) ?? {} })
  }
  return measured
}

/** The lists of one lane, and of one embedder in it: of the question, and of its rewrites. */
const groupsOf = (lists: readonly LaneList[]): readonly (readonly LaneList[])[] => {
  const groups = new Map<string, LaneList[]>()
  for (const list of lists) {
    const key = `${list.lane} ${list.embedderId ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), list])
  }
  return [...groups.values()]
}

interface LaneView {
  readonly lane: LaneName
  readonly places: ReadonlyMap<ChunkId, { readonly rank: number; readonly strength: number }>
}

/** Rewrites take part in what a lane says of a chunk by their weight: the mean of the strengths, ranked anew. */
const viewOf = (lists: readonly LaneList[]): LaneView => {
  const total = lists.reduce((sum, { weight }) => sum + weight, 0)
  const strengths = new Map<ChunkId, number>()
  for (const { ranked, weight } of lists) {
    const best = ranked[0]?.score || 1
    for (const { id, score } of ranked)
      strengths.set(id, (strengths.get(id) ?? 0) + ((weight / total) * score) / best)
  }
  const rows = [...strengths]
  if (lists.length > 1) rows.sort(([, one], [, other]) => other - one)
  const highest = lists.length > 1 ? (rows[0]?.[1] ?? 1) : 1
  return {
    lane: lists[0]!.lane,
    places: new Map(
      rows.map(([id, strength], position) => [id, { rank: position + 1, strength: strength / highest }]),
    ),
  }
}

/** The mean over the question and its rewrites, by weight. */
const cosinesOf = async (
  ids: readonly ChunkId[],
  questions: readonly QuestionVector[],
  index: IndexReader,
): Promise<Map<ChunkId, Record<string, number>>> => {
  const cosines = new Map<ChunkId, Record<string, number>>()
  for (const embedderId of new Set(questions.map(question => question.embedderId))) {
    const asked = questions.filter(question => question.embedderId === embedderId)
    const total = asked.reduce((sum, { weight }) => sum + weight, 0)
    const sums = new Map<ChunkId, number>()
    for (const { vector, weight } of asked)
      for (const [id, cosine] of await index.cosines(embedderId, vector, ids))
        sums.set(id, (sums.get(id) ?? 0) + weight * cosine)
    for (const [id, sum] of sums) {
      const known = cosines.get(id)
      if (known === undefined) cosines.set(id, { [embedderId]: sum / total })
      else known[embedderId] = sum / total
    }
  }
  return cosines
}

const laneLines = ({ ranks, strengths }: Signals) =>
  (['vector', 'text', 'symbol'] as const)
    .filter(lane => ranks[lane] !== undefined)
    .map(lane => ({ stage: lane, score: strengths[lane]!, why: `rank ${ranks[lane]} in the ${lane} lane` }))
