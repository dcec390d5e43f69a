/** Third stage: fuses the lanes' lists and makes candidates of the best, with everything the lanes said about them. */

import type { IndexReader } from '../core/ports.js'
import type { Candidate, ChunkId, LaneName, Signals } from '../core/types.js'
import { fuse } from '../ranking/fuse.js'
import type { Plan } from './plan.js'
import type { LaneList, LaneResults, QuestionVector } from './run-lanes.js'

export const gather = async (
  results: LaneResults,
  plan: Plan,
  index: IndexReader,
): Promise<readonly Candidate[]> => {
  const lists = results.lists.map(list => ({ ids: list.ranked.map(({ id }) => id) }))
  const { rrfK, pool, multiHop } = plan.settings
  const wanted = Math.max(
    pool,
    multiHop.enabled ? Math.ceil(plan.limit * multiHop.initialMultiplier) : plan.limit,
  )
  const fused = fuse(lists, rrfK).slice(0, wanted)
  const scores = new Map(fused.map(({ id, score }) => [id, score]))
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

/** What each lane and each embedder says of these chunks, whether or not the chunk made it into that lane's list. */
export const measure = async (
  ids: readonly ChunkId[],
  { lists, vectors }: LaneResults,
  index: IndexReader,
): Promise<Map<ChunkId, Signals>> => {
  const cosines = await cosinesOf(ids, vectors, index)
  const ranks = lists.map(list => ({ list, positions: positionsOf(list) }))
  return new Map(
    ids.map(id => {
      const signals = { ranks: {} as Record<LaneName, number>, strengths: {} as Record<LaneName, number> }
      for (const { list, positions } of ranks) {
        const position = positions.get(id)
        if (position === undefined) continue
        const { lane, ranked } = list
        signals.ranks[lane] = Math.min(signals.ranks[lane] ?? Number.POSITIVE_INFINITY, position + 1)
        const strength = ranked[position]!.score / (ranked[0]!.score || 1)
        signals.strengths[lane] = Math.max(signals.strengths[lane] ?? 0, strength)
      }
      return [id, { ...signals, cosines: cosines.get(id) ?? {} }]
    }),
  )
}

const positionsOf = ({ ranked }: LaneList): Map<ChunkId, number> =>
  new Map(ranked.map(({ id }, position) => [id, position]))

const cosinesOf = async (
  ids: readonly ChunkId[],
  questions: readonly QuestionVector[],
  index: IndexReader,
): Promise<Map<ChunkId, Record<string, number>>> => {
  const cosines = new Map<ChunkId, Record<string, number>>()
  for (const { embedderId, vector } of questions) {
    for (const [id, other] of await index.vectors(embedderId, ids)) {
      const row = cosines.get(id) ?? {}
      row[embedderId] = Math.max(row[embedderId] ?? -1, dot(vector, other))
      cosines.set(id, row)
    }
  }
  return cosines
}

const laneLines = ({ ranks, strengths }: Signals) =>
  (['vector', 'text', 'symbol'] as const)
    .filter(lane => ranks[lane] !== undefined)
    .map(lane => ({ stage: lane, score: strengths[lane]!, why: `rank ${ranks[lane]} in the ${lane} lane` }))

const dot = (a: Float32Array, b: Float32Array): number => {
  let total = 0
  for (let i = 0; i < a.length; i++) total += a[i]! * b[i]!
  return total
}
