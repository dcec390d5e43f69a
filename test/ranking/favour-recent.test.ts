import { describe, expect, it } from 'vitest'
import { favourRecent } from '../../dist/ranking/favour-recent.js'

const DAY = 86_400_000
const NOW = 1_000 * DAY
const candidate = (path: string, score: number, ageDays: number) => ({
  chunk: { path, time: NOW - ageDays * DAY } as never,
  score,
  ledger: [],
  signals: { ranks: {}, strengths: {}, cosines: {} },
})
const settings = { weight: 0.05, decayDays: 90 }

describe('favourRecent', () => {
  it('multiplies by 1 + 0.05 e^(−age / 90)', () => {
    const [fresh] = favourRecent([candidate('a', 1, 0)], settings, NOW)
    expect(fresh!.score).toBeCloseTo(1.05, 10)
    const [old] = favourRecent([candidate('a', 1, 90)], settings, NOW)
    expect(old!.score).toBeCloseTo(1 + 0.05 / Math.E, 10)
  })

  it('decides between equals and lets relevance win otherwise', () => {
    const order = (...candidates: ReturnType<typeof candidate>[]) =>
      favourRecent(candidates, settings, NOW).map(({ chunk }) => chunk.path)
    expect(order(candidate('old', 1, 900), candidate('new', 1, 1))).toEqual(['new', 'old'])
    expect(order(candidate('old', 1.06, 900), candidate('new', 1, 0))).toEqual(['old', 'new'])
  })

  it('treats the future as today, and a weight of 0 as off', () => {
    expect(favourRecent([candidate('a', 1, -400)], settings, NOW)[0]!.score).toBeCloseTo(1.05, 10)
    const same = [candidate('a', 1, 3)]
    expect(favourRecent(same, { weight: 0, decayDays: 90 }, NOW)).toBe(same)
  })

  it('writes what it did into the ledger', () => {
    const [fresh] = favourRecent([candidate('a', 2, 12)], settings, NOW)
    expect(fresh!.ledger.at(-1)).toMatchObject({
      stage: 'recency',
      score: fresh!.score,
      why: expect.stringContaining('12 days'),
    })
  })
})
