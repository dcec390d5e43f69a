import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fuse } from '../../dist/ranking/fuse.js'

const ids = (lists: number[][], k = 60) =>
  fuse(
    lists.map(list => ({ ids: list })),
    k,
  ).map(({ id }) => id)

describe('fuse', () => {
  it('adds the reciprocal ranks of each list', () => {
    const [best, second] = fuse([{ ids: [7, 8] }, { ids: [8] }], 60)
    expect(best).toEqual({ id: 8, score: 1 / 62 + 1 / 61 })
    expect(second).toEqual({ id: 7, score: 1 / 61 })
  })

  it('gives ties to the first appearance', () => {
    expect(ids([[3], [1], [2]])).toEqual([3, 1, 2])
  })

  it('weighs lists without locking one out', () => {
    const fused = fuse(
      [
        { ids: [1], weight: 3 },
        { ids: [2], weight: 0.1 },
      ],
      60,
    )
    expect(fused.map(({ id }) => id)).toEqual([1, 2])
    expect(fused[1]!.score).toBeGreaterThan(0)
  })

  it('gives the same scores whatever the order of the lists, and holds each id once', () => {
    const list = fc.uniqueArray(fc.nat(30), { maxLength: 20 })
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), lists => {
        const forward = new Map(
          fuse(
            lists.map(ids => ({ ids })),
            60,
          ).map(({ id, score }) => [id, score]),
        )
        const backward = fuse(
          [...lists].reverse().map(ids => ({ ids })),
          60,
        )
        expect(backward).toHaveLength(forward.size)
        for (const { id, score } of backward) expect(score).toBeCloseTo(forward.get(id)!, 12)
        expect(new Set(lists.flat())).toEqual(new Set(forward.keys()))
      }),
    )
  })
})
