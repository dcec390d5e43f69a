/**
 * Rerank: a model reads question and text together. Its opinion is blended in, not obeyed: replacing the score was
 * measured to hurt on code (EVIDENCE §3). Without a reranker the stage is the identity.
 */

import type { Warning } from '../core/answers.js'
import type { Reranker } from '../core/ports.js'
import type { Candidate } from '../core/questions.js'
import type { StoredChunk } from '../core/types.js'
import type { Plan } from './plan.js'

export interface Reranked {
  readonly candidates: readonly Candidate[]
  readonly warnings: readonly Warning[]
}

export const rerank = async (
  candidates: readonly Candidate[],
  reranker: Reranker | null,
  plan: Plan,
  signal?: AbortSignal,
): Promise<Reranked> => {
  const { enabled, weight } = plan.settings.rerank
  if (!enabled || reranker === null || weight === 0 || candidates.length < 2)
    return { candidates, warnings: [] }
  const count = plan.source === 'note' ? turnsReadable(candidates, reranker.mostTexts) : reranker.mostTexts
  const head = candidates.slice(0, count)
  const tail = candidates.slice(count)
  try {
    const opinions = await reranker.score(
      // Without the speakers, where it is about what someone said.
      plan.source === 'note' ? (plan.passages[0] ?? plan.question) : plan.question,
      head.map(({ chunk }) => passageOf(chunk)),
      signal,
    )
    const read = blend(head, opinions, weight, reranker.id)
    return { candidates: [...read, ...keepBelow(tail, read.at(-1)!.score)], warnings: [] }
  } catch (error) {
    if (signal?.aborted) throw error
    const message = `Not reranked: ${error instanceof Error ? error.message : String(error)}`
    return { candidates, warnings: [{ code: 'RERANK_FAILED', message, hint: 'quarry doctor' }] }
  }
}

/** What a model is given to read costs by its length: of turns, which are short, it can read more. */
const TEXT_CHARACTERS = 480
const MOST_TIMES = 4

const turnsReadable = (candidates: readonly Candidate[], mostTexts: number): number => {
  let left = mostTexts * TEXT_CHARACTERS
  const most = Math.min(candidates.length, MOST_TIMES * mostTexts)
  for (let count = 0; count < most; count++) {
    left -= Math.min(TEXT_CHARACTERS, Math.max(LEAST_CHARACTERS, candidates[count]!.chunk.text.length))
    if (left < 0) return count
  }
  return most
}
const LEAST_CHARACTERS = 100

/** A hunk says little without the message of its commit. */
const passageOf = ({ header, text, commit }: StoredChunk): string =>
  commit ? `${commit.message.slice(0, 300)}\n${header}\n${text}` : `${header}\n${text}`

/**
 * Both sides become standard scores over the pool, so that neither scale decides; a sigmoid keeps the sum positive. The score so far
 * has gone through a sigmoid as well, which leaves hardly a difference between a good first and a fair fifth: as odds it has.
 * Measured at a weight of .25 (docs/ranking.md).
 */
const blend = (
  candidates: readonly Candidate[],
  opinions: readonly number[],
  weight: number,
  model: string,
): readonly Candidate[] => {
  const own = standardise(candidates.map(({ score }) => logOdds(score)))
  const other = standardise(opinions)
  return candidates
    .map((candidate, position) => {
      const score = 1 / (1 + Math.exp(-((1 - weight) * own[position]! + weight * other[position]!)))
      const why = `${model} ${opinions[position]!.toFixed(3)}, weight ${weight}`
      return { ...candidate, score, ledger: [...candidate.ledger, { stage: 'rerank', score, why }] }
    })
    .sort((a, b) => b.score - a.score)
}

const logOdds = (score: number): number => {
  const inside = Math.min(1 - 1e-12, Math.max(1e-12, score))
  return Math.log(inside / (1 - inside))
}

/** What the model did not read keeps its order, below what it read. */
const keepBelow = (candidates: readonly Candidate[], ceiling: number): readonly Candidate[] => {
  const highest = candidates[0]?.score ?? 1
  return candidates.map(candidate => {
    const score = (0.999 * ceiling * candidate.score) / highest
    return {
      ...candidate,
      score,
      ledger: [...candidate.ledger, { stage: 'rerank', score, why: 'not read by the model' }],
    }
  })
}

const standardise = (values: readonly number[]): number[] => {
  const mean = values.reduce((total, value) => total + value, 0) / values.length
  const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length
  const deviation = Math.sqrt(variance) || 1
  return values.map(value => (value - mean) / deviation)
}
