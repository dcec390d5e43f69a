/**
 * Multi-hop: from good candidates to chunks like them that the question's own words did not reach. Each hop starts from what
 * the previous one found, so that a third hop can still find something; everything is scored against the question again.
 */

import type { IndexReader } from '../core/ports.js'
import type { Candidate } from '../core/questions.js'
import type { ChunkId } from '../core/types.js'
import { measure } from './gather.js'
import type { Plan } from './plan.js'
import type { LaneResults } from './run-lanes.js'

export const followHops = async (
  candidates: readonly Candidate[],
  results: LaneResults,
  plan: Plan,
  index: IndexReader,
): Promise<readonly Candidate[]> => {
  const { enabled, hops, expansion } = plan.settings.multiHop
  const embedderId = results.vectors[0]?.embedderId
  if (!enabled || hops < 2 || embedderId === undefined || candidates.length === 0) return candidates
  const perCandidate = Math.max(1, Math.floor(plan.limit * expansion))
  const seen = new Set(candidates.map(({ chunk }) => chunk.id))
  const found: Found[] = []
  let frontier: readonly ChunkId[] = candidates.slice(0, plan.limit).map(({ chunk }) => chunk.id)

  for (let hop = 2; hop <= hops && frontier.length > 0; hop++) {
    const reached = await similarTo(frontier, embedderId, perCandidate, seen, plan, index)
    found.push(...reached.map(({ id, from }) => ({ id, from, hop })))
    frontier = reached.slice(0, plan.limit).map(({ id }) => id)
  }
  return [...candidates, ...(await admit(found, results, candidates, index))]
}

interface Found {
  readonly id: ChunkId
  readonly from: ChunkId
  readonly hop: number
}

const similarTo = async (
  frontier: readonly ChunkId[],
  embedderId: string,
  count: number,
  seen: Set<ChunkId>,
  plan: Plan,
  index: IndexReader,
): Promise<{ id: ChunkId; from: ChunkId }[]> => {
  const vectors = await index.vectors(embedderId, frontier)
  const reached: { id: ChunkId; from: ChunkId }[] = []
  for (const [from, vector] of vectors) {
    // The chunk itself is its own nearest neighbour, and earlier finds are no news: ask for some more.
    const near = await index.nearest(embedderId, vector, plan.filter, count + seen.size)
    for (const { id } of near.filter(({ id }) => !seen.has(id)).slice(0, count)) {
      seen.add(id)
      reached.push({ id, from })
    }
  }
  return reached
}

/** Newcomers stand where their similarity to the question would have put them in the vector lane. */
const admit = async (
  found: readonly Found[],
  results: LaneResults,
  candidates: readonly Candidate[],
  index: IndexReader,
): Promise<readonly Candidate[]> => {
  const signals = await measure(
    found.map(({ id }) => id),
    results,
    index,
  )
  const origins = new Map(found.map(entry => [entry.id, entry]))
  const lowest = Math.min(...candidates.map(({ score }) => score))
  const embedderId = results.vectors[0]!.embedderId
  return (await index.chunks([...origins.keys()])).map(chunk => {
    const { hop, from } = origins.get(chunk.id)!
    const seen = signals.get(chunk.id)!
    const score = lowest * Math.max(0.01, seen.cosines[embedderId] ?? 0)
    const start = candidates.find(candidate => candidate.chunk.id === from)?.chunk
    const why = `hop ${hop}, like ${start ? `${start.path}:${start.startLine}` : 'a chunk of the hop before'}`
    return { chunk, score, signals: seen, ledger: [{ stage: 'hop', score, why }] }
  })
}
