/** Two ways of walking an async sequence: several items at a time in order, and in batches of a given weight. */

/** How much may be under way: so many items, and items of so much weight in all. */
export interface Room<Item> {
  readonly items: number
  readonly weight: number
  readonly weigh: (item: Item) => number
}

/** Maps with several items under way; results come out in the order of the input. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  room: Room<Item>,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: { readonly result: Promise<Result>; readonly weight: number }[] = []
  let total = 0
  for await (const item of items) {
    const result = work(item)
    // The rejection is met when its turn comes; until then it must not count as unhandled.
    result.catch(() => {})
    const weight = room.weigh(item)
    underWay.push({ result, weight })
    total += weight
    while (underWay.length >= room.items || (total > room.weight && underWay.length > 0)) {
      const first = underWay.shift()!
      total -= first.weight
      yield await first.result
    }
  }
  for (const { result } of underWay) yield await result
}

/** Closes a batch as soon as the weights of its items reach `enough`. */
export async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  weigh: (item: Item) => number,
  enough: number,
): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  let weight = 0
  for await (const item of items) {
    batch.push(item)
    weight += weigh(item)
    if (weight >= enough) {
      yield batch
      batch = []
      weight = 0
    }
  }
  if (batch.length > 0) yield batch
}
