/**
 * What an agent pays to read its way to an answer. It reads pieces in order (hits, files, commits) and is done with a target
 * at the end of the first piece that holds it. Scored as semble publishes it: never finding anything costs 32,000 tokens,
 * and a target counts at a budget when the piece that holds it ends within.
 */

export interface Piece {
  readonly tokens: number
  /** Numbers of the targets it holds. */
  readonly targets: readonly number[]
}

/** One question read in one way, counted by one counter. */
export interface ReadQuestion {
  readonly config: Readonly<Record<string, string | number>>
  readonly repository: string
  readonly id: string
  readonly scores: Readonly<Record<string, number>>
}

export const NEVER_FOUND_TOKENS = 32_000
export const BUDGETS = [500, 1_000, 2_000, 4_000, 8_000] as const

export const scoreReading = (pieces: readonly Piece[], targetCount: number): Record<string, number> => {
  const costs = Array.from({ length: targetCount }, () => Number.POSITIVE_INFINITY)
  let read = 0
  for (const { tokens, targets } of pieces) {
    read += tokens
    for (const target of targets) costs[target] = Math.min(costs[target]!, read)
  }
  const first = Math.min(...costs)
  return {
    // A piece may end beyond what never finding costs: reading a large file is that dear.
    tokens: first === Number.POSITIVE_INFINITY ? NEVER_FOUND_TOKENS : first,
    found: first === Number.POSITIVE_INFINITY ? 0 : 1,
    ...Object.fromEntries(
      BUDGETS.map(budget => [`R@${budget}`, costs.filter(cost => cost <= budget).length / targetCount]),
    ),
  }
}
