/** Recency: a nudge inside a narrow band, so that of two equally good chunks the younger comes first. */

import type { Candidate } from '../core/questions.js'
import { withLine } from './with-line.js'

const DAY = 24 * 60 * 60 * 1000

export interface RecencySettings {
  /** Largest gain, as a share of the score. 0 turns the stage off. */
  readonly weight: number
  /** After this many days the gain has fallen to 1/e of itself. */
  readonly decayDays: number
}

/** `score × (1 + weight · e^(−age / decayDays))`. Scores must be positive: a negative one would be turned around. */
export const favourRecent = (
  candidates: readonly Candidate[],
  { weight, decayDays }: RecencySettings,
  now: number,
): readonly Candidate[] => {
  if (weight === 0) return candidates
  return candidates
    .map(candidate => {
      const ageDays = Math.max(0, now - candidate.chunk.time) / DAY
      const gain = weight * Math.exp(-ageDays / decayDays)
      const score = candidate.score * (1 + gain)
      const why = () => `${Math.round(ageDays)} days old, +${(100 * gain).toFixed(1)} %`
      return withLine(candidate, 'recency', score, why)
    })
    .sort((a, b) => b.score - a.score)
}
