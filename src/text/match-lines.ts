/** Which line of one text is which line of another: the lines that an edit left alone. Pure. */

/** Two stretches of lines, from their first up to, not including, their end. */
interface Stretch {
  beforeStart: number
  beforeEnd: number
  afterStart: number
  afterEnd: number
}

/** Lines without a landmark between them: a table of this many cells is filled in some milliseconds. */
const LARGEST_TABLE = 4_000_000

/** For each line of `after` its number in `before`, counted from 1; 0 where it is new. Numbers only ever rise. */
export const matchLines = (before: readonly string[], after: readonly string[]): Uint32Array => {
  const matches = new Uint32Array(after.length)
  const open: Stretch[] = [
    { beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length },
  ]
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    trim(before, after, stretch, matches)
    const { beforeStart, beforeEnd, afterStart, afterEnd } = stretch
    if (beforeStart === beforeEnd || afterStart === afterEnd) continue
    const marks = landmarks(before, after, stretch)
    if (marks.length === 0) {
      if ((beforeEnd - beforeStart + 1) * (afterEnd - afterStart + 1) <= LARGEST_TABLE)
        matchByTable(before, after, stretch, matches)
      continue
    }
    let [fromBefore, fromAfter] = [beforeStart, afterStart]
    for (const [inBefore, inAfter] of [...marks, [beforeEnd, afterEnd] as const]) {
      open.push({
        ...{ beforeStart: fromBefore, beforeEnd: inBefore },
        ...{ afterStart: fromAfter, afterEnd: inAfter },
      })
      if (inAfter < afterEnd) matches[inAfter] = inBefore + 1
      fromBefore = inBefore + 1
      fromAfter = inAfter + 1
    }
  }
  return matches
}

/** Takes what is the same at both ends out of the stretch. */
const trim = (
  before: readonly string[],
  after: readonly string[],
  stretch: Stretch,
  matches: Uint32Array,
): void => {
  let { beforeStart, beforeEnd, afterStart, afterEnd } = stretch
  while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeStart] === after[afterStart])
    matches[afterStart++] = ++beforeStart
  while (beforeStart < beforeEnd && afterStart < afterEnd && before[beforeEnd - 1] === after[afterEnd - 1])
    matches[--afterEnd] = beforeEnd--
  Object.assign(stretch, { beforeStart, beforeEnd, afterStart, afterEnd })
}

/** Lines that stand exactly once on either side, as many as keep their order: nobody takes them for one another. */
const landmarks = (
  before: readonly string[],
  after: readonly string[],
  { beforeStart, beforeEnd, afterStart, afterEnd }: Stretch,
): (readonly [number, number])[] => {
  const once = onlyOnes(before, beforeStart, beforeEnd)
  const pairs = [...onlyOnes(after, afterStart, afterEnd)]
    .flatMap(([line, at]) => (once.has(line) ? [[once.get(line)!, at] as const] : []))
    .sort(([, one], [, other]) => one - other)
  return longestRise(pairs)
}

const onlyOnes = (lines: readonly string[], start: number, end: number): Map<string, number> => {
  const places = new Map<string, number>()
  const repeated = new Set<string>()
  for (let at = start; at < end; at++) {
    const line = lines[at]!
    if (places.has(line)) repeated.add(line)
    else places.set(line, at)
  }
  for (const line of repeated) places.delete(line)
  return places
}

/** The longest run of pairs whose first numbers rise, by the card game of patience. */
const longestRise = (pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
  const tops: number[] = []
  const below = new Int32Array(pairs.length).fill(-1)
  pairs.forEach(([value], at) => {
    let [low, high] = [0, tops.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tops[middle]!]![0] < value) low = middle + 1
      else high = middle
    }
    if (low > 0) below[at] = tops[low - 1]!
    tops[low] = at
  })
  const rise: (readonly [number, number])[] = []
  for (let at = tops.at(-1) ?? -1; at >= 0; at = below[at]!) rise.push(pairs[at]!)
  return rise.reverse()
}

/** The longest common subsequence, for a stretch of repeated lines such as braces and blanks. */
const matchByTable = (
  before: readonly string[],
  after: readonly string[],
  { beforeStart, beforeEnd, afterStart, afterEnd }: Stretch,
  matches: Uint32Array,
): void => {
  const [height, width] = [beforeEnd - beforeStart, afterEnd - afterStart]
  const row = width + 1
  const lengths = new Uint32Array((height + 1) * row)
  for (let y = height - 1; y >= 0; y--)
    for (let x = width - 1; x >= 0; x--)
      lengths[y * row + x] =
        before[beforeStart + y] === after[afterStart + x]
          ? lengths[(y + 1) * row + x + 1]! + 1
          : Math.max(lengths[(y + 1) * row + x]!, lengths[y * row + x + 1]!)
  let [y, x] = [0, 0]
  while (y < height && x < width) {
    if (before[beforeStart + y] === after[afterStart + x]) {
      matches[afterStart + x] = beforeStart + y + 1
      y++
      x++
    } else if (lengths[(y + 1) * row + x]! >= lengths[y * row + x + 1]!) y++
    else x++
  }
}
