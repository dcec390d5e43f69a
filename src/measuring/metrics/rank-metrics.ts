/** Scores of one query. All take the ranks of its targets (from 1, Infinity when not found); relevance is binary. */

/** Discounted gain of the targets within `k`, as a share of what the ideal order of min(k, targets) would gain. */
export const ndcg = (ranks: readonly number[], k: number): number => {
  const gain = sum(within(ranks, k).map(discount))
  const ideal = sum(Array.from({ length: Math.min(k, countOf(ranks)) }, (_, index) => discount(index + 1)))
  // One chunk may be two targets when their lines meet: still no more than ideal.
  return Math.min(1, gain / ideal)
}

/** 1 / rank of the best target, 0 beyond `k`. */
export const reciprocalRank = (ranks: readonly number[], k = Number.POSITIVE_INFINITY): number => {
  const best = countOf(ranks) && Math.min(...ranks)
  return best <= k ? 1 / best : 0
}

/** Share of the targets within `k`. */
export const recall = (ranks: readonly number[], k: number): number =>
  within(ranks, k).length / countOf(ranks)

/** 1 when every target is within `k`. */
export const accuracy = (ranks: readonly number[], k: number): number => (recall(ranks, k) === 1 ? 1 : 0)

/** 1 when any target is within `k`. */
export const hit = (ranks: readonly number[], k: number): number => (recall(ranks, k) > 0 ? 1 : 0)

/** The codescout scale: 3 all in 5, 2 all in 10 or at least half in 5, 1 any in 10, 0 otherwise. */
export const codescoutPoints = (ranks: readonly number[]): number => {
  if (accuracy(ranks, 5)) return 3
  if (accuracy(ranks, 10) || recall(ranks, 5) >= 0.5) return 2
  return hit(ranks, 10)
}

const discount = (rank: number): number => 1 / Math.log2(rank + 1)

const within = (ranks: readonly number[], k: number): number[] => ranks.filter(rank => rank <= k)

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A query without targets has no score; letting it count as 0 or 1 would falsify a mean. */
const countOf = (ranks: readonly number[]): number => {
  if (ranks.length === 0) throw new RangeError('A query needs at least one target to be scored')
  return ranks.length
}
