/**
 * Priors of history: how well a commit fits, from what the lanes said of it and what sort of commit it is. Scores are summed,
 * not ranks: how far the first is ahead of the second says a lot here (docs/history.md).
 */

import type { Candidate } from '../core/types.js'

/** Chosen leave-one-repository-out on issue texts and their fixing commits: docs/history.md. */
export const COMMIT_WEIGHTS = { text: 1, vector: 0.6, symbol: 0.1 } as const

export const weighCommits = (
  candidates: readonly Candidate[],
  weights: Readonly<Record<keyof typeof COMMIT_WEIGHTS, number>> = COMMIT_WEIGHTS,
): readonly Candidate[] => {
  const similarity = similarities(candidates)
  return candidates
    .map((candidate, position) => {
      const { text = 0, symbol = 0 } = candidate.signals.strengths
      const parts = {
        text: weights.text * text,
        vector: weights.vector * similarity[position]!,
        symbol: weights.symbol * symbol,
      }
      const total = weights.text + weights.vector + weights.symbol
      const score = (parts.text + parts.vector + parts.symbol) / total
      const why = Object.entries(parts)
        .map(([name, part]) => `${name} ${(part / total).toFixed(2)}`)
        .join(' + ')
      return { ...candidate, score, ledger: [...candidate.ledger, { stage: 'priors', score, why }] }
    })
    .sort((a, b) => b.score - a.score)
}

/** Cosine as a share of the best one in the pool, the mean over the embedders that know the commit. */
const similarities = (candidates: readonly Candidate[]): number[] => {
  const best = new Map<string, number>()
  for (const { signals } of candidates) {
    for (const [embedder, cosine] of Object.entries(signals.cosines))
      best.set(embedder, Math.max(best.get(embedder) ?? 0, cosine))
  }
  return candidates.map(({ signals }) => {
    const shares = Object.entries(signals.cosines).map(([embedder, cosine]) =>
      Math.max(0, cosine / (best.get(embedder) || 1)),
    )
    return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
  })
}
