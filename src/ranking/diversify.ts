/** The per-file cap: a filter over an ordered list, never a re-ranking. */

/**
 * Walks in order, drops an item whose group is already there `cap` times, stops at `limit`. A cap of 0 turns it off.
 * Given more items than `limit`, the places of dropped items are refilled from further down.
 */
export const diversify = <Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  cap: number,
  limit: number,
): readonly Item[] => {
  const kept: Item[] = []
  const counts = new Map<string, number>()
  for (const item of items) {
    if (kept.length >= limit) break
    const group = groupOf(item)
    const count = counts.get(group) ?? 0
    if (cap > 0 && count >= cap) continue
    counts.set(group, count + 1)
    kept.push(item)
  }
  return kept
}
