/**
 * Last stage: where the cap leaves fewer hits than were asked for, the lanes are asked again, deeper. What that adds comes
 * behind everything else, so the first hits are the same however many are asked for.
 */

import type { Candidate } from '../core/questions.js'
import { withLine } from '../ranking/with-line.js'
import type { Plan } from './plan.js'
import type { LaneResults } from './run-lanes.js'

/** So many candidates for each hit: of one file only a few are shown. */
const CANDIDATES_A_HIT = 4

export const refill = async (
  ordered: readonly Candidate[],
  { lists }: LaneResults,
  plan: Plan,
  show: (candidates: readonly Candidate[]) => readonly Candidate[],
  ask: (plan: Plan) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> => {
  const shown = show(ordered)
  const wasCut = lists.some(({ ranked }) => ranked.length >= plan.asked.depth)
  // Commits and turns are made of their surroundings before they are ranked; what was found of them stays.
  if (shown.length >= plan.limit || !wasCut || plan.source !== 'code') return shown
  const depth = Math.max(plan.asked.depth, CANDIDATES_A_HIT * plan.limit)
  const deeper = await ask({
    ...plan,
    asked: { ...plan.asked, depth },
    settings: { ...plan.settings, pool: depth },
  })
  const known = new Set(ordered.map(({ chunk }) => chunk.id))
  const lowest = Math.min(...ordered.map(({ score }) => score))
  const further = deeper
    .filter(({ chunk }) => !known.has(chunk.id))
    .map(candidate =>
      withLine(candidate, 'refill', lowest * candidate.score, () => 'from deeper in the lanes'),
    )
  return show([...ordered, ...further])
}
