import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accuracy,
  codescoutPoints,
  hit,
  ndcg,
  recall,
  reciprocalRank,
} from '../../../dist/measuring/metrics/rank-metrics.js'

const missed = Number.POSITIVE_INFINITY

describe('ndcg', () => {
  it('agrees with hand-computed values', () => {
    expect(ndcg([1], 10)).toBe(1)
    // 1 / log2(2 + 1)
    expect(ndcg([2], 10)).toBeCloseTo(0.63093, 5)
    expect(ndcg([3], 10)).toBeCloseTo(0.5, 12)
    expect(ndcg([11], 10)).toBe(0)
    // (1 + 1/2) / (1 + 0.63093)
    expect(ndcg([1, 3], 10)).toBeCloseTo(0.91972, 5)
    // one of two: 1 / 1.63093
    expect(ndcg([missed, 1], 10)).toBeCloseTo(0.61315, 5)
  })

  it('takes min(k, targets) for the ideal', () => {
    const twelve = Array.from({ length: 12 }, (_, index) => index + 1)
    expect(ndcg(twelve, 10)).toBeCloseTo(1, 12)
    expect(ndcg([1, 2, missed], 2)).toBeCloseTo(1, 12)
  })

  it('stays within 1 when one chunk is two targets', () => {
    expect(ndcg([1, 1], 10)).toBe(1)
  })

  const rankLists = fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(missed)), {
    minLength: 1,
    maxLength: 15,
    selector: rank => (rank === missed ? Symbol('missed') : rank),
  })

  it('is 1 for the ideal order, whatever the order of the targets', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20 }), (targets, k) => {
        const ranks = Array.from({ length: targets }, (_, index) => targets - index)
        expect(ndcg(ranks, k)).toBeCloseTo(1, 12)
      }),
    )
  })

  it('lies between 0 and 1 and never falls when a target moves up', () => {
    fc.assert(
      fc.property(rankLists, fc.integer({ min: 1, max: 20 }), fc.nat(), (ranks, k, pick) => {
        const before = ndcg(ranks, k)
        expect(before).toBeGreaterThanOrEqual(0)
        expect(before).toBeLessThanOrEqual(1)
        // Swapping with whatever stands one rank higher, as a better ranking would.
        const moved = ranks[pick % ranks.length]!
        const better = moved === missed ? 31 : Math.max(1, moved - 1)
        const after = ranks.includes(better)
          ? ranks
          : ranks.map((rank, index) => (index === pick % ranks.length ? better : rank))
        expect(ndcg(after, k)).toBeGreaterThanOrEqual(before - 1e-12)
      }),
    )
  })

  it('grows strictly when the best target moves up within k', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10 }), rank => {
        expect(ndcg([rank - 1], 10)).toBeGreaterThan(ndcg([rank], 10))
      }),
    )
  })
})

describe('the other scores', () => {
  it('reciprocalRank looks at the best target only', () => {
    expect(reciprocalRank([4, 2, missed])).toBe(0.5)
    expect(reciprocalRank([11], 10)).toBe(0)
    expect(reciprocalRank([10], 10)).toBe(0.1)
    expect(reciprocalRank([missed])).toBe(0)
  })

  it('recall is a share, accuracy all, hit any', () => {
    const ranks = [1, 6, 11, missed]
    expect([1, 5, 6, 10, 11].map(k => recall(ranks, k))).toEqual([0.25, 0.25, 0.5, 0.5, 0.75])
    expect(accuracy(ranks, 100)).toBe(0)
    expect(accuracy([1, 5], 5)).toBe(1)
    expect(accuracy([1, 6], 5)).toBe(0)
    expect(hit([missed, 10], 10)).toBe(1)
    expect(hit([11], 10)).toBe(0)
  })

  it('codescoutPoints follow the scale of the set', () => {
    expect(codescoutPoints([1, 5])).toBe(3) // all in 5
    expect(codescoutPoints([6, 10])).toBe(2) // all in 10
    expect(codescoutPoints([5, missed])).toBe(2) // half in 5
    expect(codescoutPoints([5, missed, missed])).toBe(1) // a third in 5
    expect(codescoutPoints([10, missed])).toBe(1) // any in 10
    expect(codescoutPoints([11, missed])).toBe(0)
  })

  it('refuse a query without targets', () => {
    for (const score of [ndcg, recall, accuracy, hit, reciprocalRank])
      expect(() => score([], 10)).toThrow(RangeError)
  })
})
