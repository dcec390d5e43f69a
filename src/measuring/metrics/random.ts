/** Random numbers that are the same on every machine, so that an interval can be computed again. */

/** Uniform whole numbers from 0 up to, and without, `limit`. */
export type Draw = (limit: number) => number

/** Marsaglia's xorshift with 32 bits of state: plenty for resampling, and three lines to check. */
export const seededDraw = (seed: number): Draw => {
  // Zero is the one state it never leaves; multiplying spreads small seeds over all bits.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0 || 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
  // The first numbers still resemble the seed.
  for (let round = 0; round < 16; round++) next()
  return limit => Math.floor(next() * limit)
}
