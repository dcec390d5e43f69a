import { describe, expect, it } from 'vitest'
import { pairedBootstrap } from '../../../dist/measuring/metrics/bootstrap.js'
import { seededDraw } from '../../../dist/measuring/metrics/random.js'

const pair = (difference: number, repository = 'one') => ({
  before: 0.25,
  after: 0.25 + difference,
  repository,
})

describe('pairedBootstrap', () => {
  it('has no width when every query gains the same', () => {
    const result = pairedBootstrap([pair(0.5), pair(0.5), pair(0.5)], { unit: 'query' })
    expect(result).toEqual({ mean: 0.5, low: 0.5, high: 0.5, queries: 3, units: 3 })
  })

  it('agrees with the normal approximation on many queries', () => {
    const pairs = Array.from({ length: 400 }, (_, index) => pair(index % 4 === 0 ? 0.5 : 0))
    const { mean, low, high } = pairedBootstrap(pairs, { unit: 'query', seed: 7 })
    expect(mean).toBeCloseTo(0.125, 12)
    // Standard error: sqrt(0.5² × ¼ × ¾ / 400) = 0.010825; 1.96 of them each way.
    expect(low).toBeCloseTo(0.125 - 0.0212, 2)
    expect(high).toBeCloseTo(0.125 + 0.0212, 2)
  })

  it('draws whole repositories when asked to', () => {
    // Resamples of {a: one query +1, b: three queries 0}: a+a = 1, a+b = ¼, b+b = 0.
    const pairs = [pair(1, 'a'), pair(0, 'b'), pair(0, 'b'), pair(0, 'b')]
    expect(pairedBootstrap(pairs, { unit: 'repository' })).toEqual({
      mean: 0.25,
      low: 0,
      high: 1,
      queries: 4,
      units: 2,
    })
  })

  it('is wider by repository than by query when the queries of a repository agree', () => {
    const pairs = Array.from({ length: 200 }, (_, index) =>
      pair(index % 10 < 5 ? 0.2 : -0.1, `r${index % 10}`),
    )
    const byQuery = pairedBootstrap(pairs, { unit: 'query' })
    const byRepository = pairedBootstrap(pairs, { unit: 'repository' })
    expect(byRepository.mean).toBeCloseTo(byQuery.mean, 12)
    expect(byRepository.high - byRepository.low).toBeGreaterThan(2 * (byQuery.high - byQuery.low))
  })

  it('gives the same interval for the same seed, and nearly the same for another', () => {
    const pairs = Array.from({ length: 100 }, (_, index) => pair(((index * 37) % 100) / 100))
    const first = pairedBootstrap(pairs, { unit: 'query', seed: 3 })
    const other = pairedBootstrap(pairs, { unit: 'query', seed: 4 })
    expect(pairedBootstrap(pairs, { unit: 'query', seed: 3 })).toEqual(first)
    expect(other.low).not.toBe(first.low)
    expect(other.low).toBeCloseTo(first.low, 1)
  })

  it('refuses to resample nothing', () => {
    expect(() => pairedBootstrap([], { unit: 'query' })).toThrow(RangeError)
  })
})

describe('seededDraw', () => {
  it('draws every number about equally often, from any seed', () => {
    for (const seed of [0, 1, 2, -1, 123456789]) {
      const draw = seededDraw(seed)
      const counts = new Array<number>(20).fill(0)
      for (let round = 0; round < 20_000; round++) counts[draw(20)]! += 1
      // Expected 1000 each with a deviation of 31; five deviations are never met by chance.
      for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(155)
    }
  })
})
