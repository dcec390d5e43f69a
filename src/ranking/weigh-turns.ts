/**
 * Priors of notes: how well a turn or a piece of a note fits, by learned weights over what the lanes said of it and of what stands
 * around it. Docs: docs/notes.md has what each feature is worth.
 */

import type { Candidate } from '../core/questions.js'
import { TURN_FEATURES, type TurnQuestion, turnFeatures } from './turn-features.js'
import { TURN_WEIGHTS, type TurnWeights } from './turn-weights.js'
import { withLine } from './with-line.js'

export const weighTurns = (
  candidates: readonly Candidate[],
  question: TurnQuestion,
  weights: TurnWeights = weightsFor(candidates),
): readonly Candidate[] => {
  const rows = turnFeatures(candidates, question)
  const weightOf = Float64Array.from(TURN_FEATURES, name => weights[name] ?? 0)
  return candidates
    .map((candidate, position) => {
      const parts = rows[position]!.map((value, column) => value * weightOf[column]!)
      let sum = 0
      for (const part of parts) sum += part
      // The same order, between 0 and 1: later stages multiply.
      const score = 1 / (1 + Math.exp(-(sum - MIDDLE) / SPREAD))
      return withLine(candidate, 'priors', score, () => told(parts))
    })
    .sort((a, b) => b.score - a.score)
}

/** Sums lie about there: a turn that fits well comes to 0.9, one that does not to 0.1. */
const MIDDLE = 6
const SPREAD = 2

/** Until a model has read the notes, the weights that were learned without one count. */
const weightsFor = (candidates: readonly Candidate[]): TurnWeights =>
  candidates.some(({ signals }) => Object.keys(signals.cosines).some(id => !id.startsWith('static')))
    ? TURN_WEIGHTS.full
    : TURN_WEIGHTS.first

const MOST_TOLD = 6

const told = (parts: Float64Array): string => {
  const columns: number[] = []
  for (let column = 0; column < parts.length; column++)
    if (Math.abs(parts[column]!) >= 0.05) columns.push(column)
  return columns
    .sort((a, b) => Math.abs(parts[b]!) - Math.abs(parts[a]!))
    .slice(0, MOST_TOLD)
    .map(column => `${TURN_FEATURES[column]} ${parts[column]!.toFixed(2)}`)
    .join(', ')
}
