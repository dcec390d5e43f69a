/** Ranks a pool as the query path would, by one lane, by fusion, or with given weights, and scores the result. */

import type { Candidate, LaneName, QuestionKind } from '#dist/core/questions.js'
import { ranksOf } from '#dist/measuring/metrics/match.js'
import { ndcg, reciprocalRank } from '#dist/measuring/metrics/rank-metrics.js'
import { applyPriors, kindOf as kindOfQuestion } from '#dist/ranking/apply-priors.js'
import { diversify } from '#dist/ranking/diversify.js'
import type { WeightTable } from '#dist/ranking/weights.js'
import type { Pool } from './pool.js'

const MOST_PER_FILE = 3

export interface Judgement {
  readonly ndcg: number
  readonly mrr: number
}

export const judgeLane = (pool: Pool, lane: LaneName): Judgement => {
  const inLane = pool.candidates.filter(({ signals }) => signals.ranks[lane] !== undefined)
  return judge(
    pool,
    [...inLane].sort((a, b) => a.signals.ranks[lane]! - b.signals.ranks[lane]!),
  )
}

export const judgeFusion = (pool: Pool): Judgement =>
  judge(
    pool,
    [...pool.candidates].sort((a, b) => b.score - a.score),
  )

export const judgePriors = (pool: Pool, table: WeightTable): Judgement =>
  judge(pool, applyPriors(pool.candidates, pool.plan, table))

const judge = (pool: Pool, ranked: readonly Candidate[]): Judgement => {
  const hits = diversify(ranked, ({ chunk }) => chunk.path, MOST_PER_FILE, 10)
  const ranks = ranksOf(
    pool.query.targets,
    hits.map(({ chunk }) => chunk),
    pool.corpus.matches,
  )
  return { ndcg: ndcg(ranks, 10), mrr: reciprocalRank(ranks, 10) }
}

export const kindOf = (pool: Pool): QuestionKind => kindOfQuestion(pool.plan, pool.candidates)
