/** Ranks a pool as the query path would, with given weights, and scores the result. */

import type { QuestionKind } from '#dist/core/types.js'
import { applyPriors, kindOf as kindOfQuestion } from '#dist/ranking/apply-priors.js'
import { diversify } from '#dist/ranking/diversify.js'
import type { WeightTable } from '#dist/ranking/weights.js'
import { ranksOf } from '../metrics/match.js'
import type { Pool } from './pool.js'

export const MOST_PER_FILE = 3

/** Ranks of the targets among the first ten hits. */
export const ranksWith = (pool: Pool, table: WeightTable): readonly number[] => {
  const ranked = applyPriors(pool.candidates, pool.plan, table)
  const hits = diversify(ranked, ({ chunk }) => chunk.path, MOST_PER_FILE, 10)
  return ranksOf(
    pool.query.targets,
    hits.map(({ chunk }) => chunk),
    pool.corpus.matches,
  )
}

export const kindOf = (pool: Pool): QuestionKind => kindOfQuestion(pool.plan, pool.candidates)
