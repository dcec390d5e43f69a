/** "Did you mean …": the known word that takes the fewest changes to reach. */

/** Undefined when none is near: at most a third of the letters may differ. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  let best: string | undefined
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const changes = distance(word.toLowerCase(), candidate.toLowerCase(), fewest)
    if (changes < fewest) {
      fewest = changes
      best = candidate
    }
  }
  return best
}

/** Letters to insert, delete or replace. Stops at `limit`, so that a word of any length costs little. */
const distance = (from: string, to: string, limit: number): number => {
  if (Math.abs(from.length - to.length) >= limit) return limit
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    if (Math.min(...next) >= limit) return limit
    row = next
  }
  return row[to.length]!
}
