/** Cuts rows that no unit helps to cut: plain text, data, long bodies, giant lines. The last resort of `pack`. */

import { endOf, isBlank, rowText, type SourceText, sizeOf } from './source-text.js'

/** A line longer than this is cut into windows, so that one line never becomes one chunk of ten megabytes. */
const WINDOW_CHARACTERS = 4_000

/** How far a chunk may exceed the budget so that no scrap is left over. */
export const STRETCH = 1.15

/** A stretch of text: rows, and offsets that equal the rows' borders except in windows of a giant line. */
export interface Stretch {
  readonly startRow: number
  readonly endRow: number
  readonly start: number
  readonly end: number
}

/** Whole rows as a stretch, without blank rows at either end; undefined when nothing else is there. */
export const stretchOf = (source: SourceText, start: number, end: number): Stretch | undefined => {
  let startRow = start
  let endRow = end
  while (startRow <= endRow && isBlank(source, startRow)) startRow += 1
  while (endRow > startRow && isBlank(source, endRow)) endRow -= 1
  if (startRow > endRow) return undefined
  return { startRow, endRow, start: source.offsets[startRow]!, end: endOf(source, endRow) }
}

/** Rows `start`–`end` in stretches of at most `budget` characters where lines allow it, cut at the quietest borders. */
export const splitRows = (source: SourceText, start: number, end: number, budget: number): Stretch[] => {
  const stretches: Stretch[] = []
  let from = start
  while (from <= end) {
    if (isBlank(source, from)) {
      from += 1
      continue
    }
    if (sizeOf(source, from, from) > Math.max(WINDOW_CHARACTERS, budget)) {
      stretches.push(...windows(source, from))
      from += 1
      continue
    }
    const last = sizeOf(source, from, end) <= budget * STRETCH ? end : lastFitting(source, from, end, budget)
    const to = last === end ? end : quietestBorder(source, from, last)
    const stretch = stretchOf(source, from, to)
    if (stretch) stretches.push(stretch)
    from = to + 1
  }
  return stretches
}

const lastFitting = (source: SourceText, from: number, end: number, budget: number): number => {
  let last = from
  while (last < end && sizeOf(source, from, last + 1) <= budget) last += 1
  return last
}

/** The best row to end at: before a blank row, else before a row with little indentation, else as late as possible. */
const quietestBorder = (source: SourceText, from: number, last: number): number => {
  let best = last
  let lowest = Number.POSITIVE_INFINITY
  for (let row = last; row >= from + Math.floor((last - from) / 2); row -= 1) {
    const indentation = isBlank(source, row + 1) ? -1 : rowText(source, row + 1).search(/\S/)
    if (indentation < lowest) {
      best = row
      lowest = indentation
    }
  }
  return best
}

const windows = (source: SourceText, row: number): Stretch[] => {
  const stretches: Stretch[] = []
  const last = endOf(source, row)
  for (let start = source.offsets[row]!; start < last; ) {
    let end = Math.min(start + WINDOW_CHARACTERS, last)
    if (end < last && isLowSurrogate(source.text.charCodeAt(end))) end -= 1
    if (source.text.slice(start, end).trim() !== '')
      stretches.push({ startRow: row, endRow: row, start, end })
    start = end
  }
  return stretches
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
