/** Reciprocal Rank Fusion: many best-first lists of ids become one. Pure; equal input gives equal output, ties included. */

import type { ChunkId } from '../core/types.js'

export interface FusionList {
  readonly ids: readonly ChunkId[]
  /** 1 unless a lane was measured to deserve otherwise. Must be above 0: no weighting locks a lane out. */
  readonly weight?: number
}

export interface Fused {
  readonly id: ChunkId
  readonly score: number
}

/** `score(c) = Σ weight / (k + rank)`, rank from 1; an absent chunk gets nothing; ties go to the first appearance. */
export const fuse = (lists: readonly FusionList[], k: number): readonly Fused[] => {
  const scores = new Map<ChunkId, number>()
  for (const { ids, weight = 1 } of lists) {
    ids.forEach((id, position) => {
      scores.set(id, (scores.get(id) ?? 0) + weight / (k + position + 1))
    })
  }
  // A Map keeps the order of first insertion and the sort is stable: that is the tie rule.
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
