/** Keeps the best of many: a heap of bounded size with the worst of the kept ones on top. */

import type { Ranked } from '../../../core/questions.js'
import type { ChunkId } from '../../../core/types.js'

export interface Best {
  /** Gives back the score that the next one must reach to be kept. */
  offer(id: ChunkId, score: number): number
  /** Best first; equal scores in the order of their ids, so that answers repeat. */
  sorted(): Ranked[]
}

export const keepBest = (limit: number): Best => {
  const ids: number[] = []
  const scores: number[] = []

  const isWorse = (one: number, other: number): boolean =>
    scores[one]! < scores[other]! || (scores[one] === scores[other] && ids[one]! > ids[other]!)
  const swap = (one: number, other: number): void => {
    const id = ids[one]!
    const score = scores[one]!
    ids[one] = ids[other]!
    scores[one] = scores[other]!
    ids[other] = id
    scores[other] = score
  }
  const rise = (start: number): void => {
    for (let at = start; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }
  const sink = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1
      let worst = at
      if (left < ids.length && isWorse(left, worst)) worst = left
      if (left + 1 < ids.length && isWorse(left + 1, worst)) worst = left + 1
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }

  return {
    offer: (id, score) => {
      if (ids.length < limit) {
        ids.push(id)
        scores.push(score)
        rise(ids.length - 1)
      } else if (limit > 0 && (score > scores[0]! || (score === scores[0] && id < ids[0]!))) {
        ids[0] = id
        scores[0] = score
        sink()
      }
      return ids.length < limit ? Number.NEGATIVE_INFINITY : (scores[0] ?? Number.POSITIVE_INFINITY)
    },
    sorted: () =>
      ids
        .map((id, at) => ({ id, score: scores[at]! }))
        .sort((one, other) => other.score - one.score || one.id - other.id),
  }
}

/** A limit as callers may send it: anything that is no positive number means nothing is wanted. */
export const wholeLimit = (limit: number): number => (limit >= 1 ? Math.floor(limit) : 0)
