/**
 * Which chunk stands for its file. The learned ranker is fitted to files; inside a file most of what it looks at is the same for
 * every chunk, and the rest was never asked to tell one from the other. There, what a chunk itself says decides: docs/ranking.md
 * has how often that is the chunk which the fix of an issue touches.
 */

import type { Candidate } from '../core/questions.js'
import { FEATURES, type FeatureName } from './features.js'

const SAYS: Partial<Record<FeatureName, number>> = { text: 1, symbol: 0.3, vector: 0.25 }
const COLUMNS = FEATURES.flatMap((name, column) => {
  const weight = SAYS[name]
  return weight === undefined ? [] : [{ column, weight }]
})

export interface Weighed {
  readonly candidate: Candidate
  /** Its features, in the order of `FEATURES`. */
  readonly row: Float64Array
}

/** The scores of a file's chunks stay; who gets which is decided anew: the best goes to the chunk that says most. */
export const chooseChunks = (weighed: readonly Weighed[]): readonly Candidate[] => {
  const files = new Map<string, Weighed[]>()
  for (const one of weighed) {
    const { path } = one.candidate.chunk
    const file = files.get(path)
    if (file) file.push(one)
    else files.set(path, [one])
  }
  return [...files.values()].flatMap(file => {
    const scores = file.map(({ candidate }) => candidate.score).sort((a, b) => b - a)
    return file
      .map(({ candidate, row }) => ({ candidate, says: saysOf(row) }))
      .sort((a, b) => b.says - a.says || b.candidate.score - a.candidate.score)
      .map(({ candidate }, place) => withScore(candidate, scores[place]!, place + 1, file.length))
  })
}

const saysOf = (row: Float64Array): number => {
  let total = 0
  for (const { column, weight } of COLUMNS) total += weight * row[column]!
  return total
}

const withScore = (candidate: Candidate, score: number, place: number, of: number): Candidate => {
  if (score === candidate.score) return candidate
  const why = `says it ${place === 1 ? 'best' : `as number ${place}`} of ${of} chunks of this file`
  return { ...candidate, score, ledger: [...candidate.ledger, { stage: 'in its file', score, why }] }
}
