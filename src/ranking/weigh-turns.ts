/**
 * Priors of notes: how well a turn or a piece of a note fits, from what the lanes said of it and whether it is of the time the
 * question speaks of. Scores are summed, not ranks.
 */

import type { Candidate, Period } from '../core/types.js'

export interface TurnQuestion {
  readonly period?: Period
}

const WEIGHTS = { vector: 0.5, period: 0.1 } as const

export const weighTurns = (
  candidates: readonly Candidate[],
  { period }: TurnQuestion,
): readonly Candidate[] =>
  candidates
    .map(candidate => {
      const parts: Readonly<Record<string, number>> = {
        text: candidate.signals.strengths.text ?? 0,
        vector: WEIGHTS.vector * similarity(candidate),
        period: period && isWithin(candidate.chunk.time, period) ? WEIGHTS.period : 0,
      }
      const score = Object.values(parts).reduce((sum, part) => sum + part, 0) / HIGHEST
      const why = Object.entries(parts)
        .filter(([, part]) => part !== 0)
        .map(([name, part]) => `${name} ${part.toFixed(2)}`)
        .join(' + ')
      return { ...candidate, score, ledger: [...candidate.ledger, { stage: 'priors', score, why }] }
    })
    .sort((a, b) => b.score - a.score)

const HIGHEST = 1 + WEIGHTS.vector + WEIGHTS.period

/** The mean over the models; the static table counts while there is nothing else. */
const similarity = ({ signals }: Candidate): number => {
  const cosines = Object.entries(signals.cosines)
  const deep = cosines.filter(([embedder]) => !embedder.startsWith('static'))
  const counted = (deep.length > 0 ? deep : cosines).map(([, cosine]) => Math.max(0, cosine))
  return counted.length === 0 ? 0 : counted.reduce((sum, cosine) => sum + cosine, 0) / counted.length
}

const isWithin = (time: number, { since, until }: Period): boolean =>
  (since === undefined || time >= since) && (until === undefined || time <= until)
