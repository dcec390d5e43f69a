/** Two ways of walking an async sequence: several items at a time in order, and in batches of a given weight. */

/** Maps with up to `width` items under way; results come out in the order of the input. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = []
  for await (const item of items) {
    const result = work(item)
    // The rejection is met when its turn comes; until then it must not count as unhandled.
    result.catch(() => {})
    underWay.push(result)
    if (underWay.length >= width) yield await underWay.shift()!
  }
  for (const result of underWay) yield await result
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
