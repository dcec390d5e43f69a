/** Picks the lines of a hit that are worth showing: the window that holds most of the question's words. */

import type { Hit } from '../core/answers.js'
import { wordsIn } from './question-words.js'

export interface Snippet {
  /** Line number of the first line. */
  readonly startLine: number
  readonly lines: readonly string[]
}

/** As much of a hit as its lines are picked by. */
export type Numbered = Pick<Hit, 'startLine' | 'text'>

export const linesOf = (hit: Numbered): Snippet => {
  const lines = hit.text.split('\n').map(line => line.replace(/\r+$/, ''))
  while (lines.length > 1 && lines.at(-1)!.trim() === '') lines.pop()
  const leading = lines.findIndex(line => line.trim() !== '')
  return leading > 0
    ? { startLine: hit.startLine + leading, lines: lines.slice(leading) }
    : { startLine: hit.startLine, lines }
}

/** However many lines are shown, the best one is among them: what a hit is called by is called after that line. */
export const bestLines = (hit: Numbered, words: ReadonlySet<string>, most: number): Snippet => {
  const { startLine, lines } = linesOf(hit)
  if (lines.length <= most) return { startLine, lines }
  const found = lines.map(line => wordsIn(line, words))
  const best = most === USUAL_LINES ? bestWindow(found, most) : bestWindow(found, most, bestOf(found))
  return trimmed({ startLine: startLine + best.start, lines: lines.slice(best.start, best.start + most) })
}

/** The line that a hit is called after; null where no line has a word of the question. */
export const bestLine = (hit: Numbered, words: ReadonlySet<string>): number | null => {
  const { startLine, lines } = linesOf(hit)
  const found = lines.map(line => wordsIn(line, words))
  return found.every(({ size }) => size === 0) ? null : startLine + bestOf(found)
}

/** As many as people are shown of a hit. */
export const USUAL_LINES = 6

type Found = readonly ReadonlySet<string>[]

/** Where the words stand close together, the line with most of them. */
const bestOf = (found: Found): number => {
  const { start } = bestWindow(found, USUAL_LINES)
  const near = found.slice(start, start + USUAL_LINES)
  return start + near.reduce((best, words, at) => (words.size > near[best]!.size ? at : best), 0)
}

const bestWindow = (found: Found, most: number, around?: number): Window => {
  const last = Math.max(0, found.length - most)
  const from = around === undefined ? 0 : Math.min(last, Math.max(0, around - most + 1))
  const to = around === undefined ? last : Math.min(last, around)
  return Array.from({ length: to - from + 1 }, (_, at) =>
    weigh(found.slice(from + at, from + at + most), from + at),
  ).reduce((a, b) => (isBetter(b, a) ? b : a))
}

interface Window {
  readonly start: number
  readonly distinct: number
  readonly matching: number
  /** How far the first matching line is from standing second: one line of what leads to it reads best. */
  readonly offset: number
}

const weigh = (found: Found, start: number): Window => {
  const first = found.findIndex(words => words.size > 0)
  const matching = found.filter(words => words.size > 0)
  return {
    start,
    distinct:
      matching.length < 2 ? (matching[0]?.size ?? 0) : new Set(matching.flatMap(words => [...words])).size,
    matching: matching.length,
    // The top of a chunk holds its signature: it needs no line before it.
    offset: first === -1 || start === 0 ? 0 : Math.abs(first - 1),
  }
}

const isBetter = (a: Window, b: Window): boolean =>
  a.distinct !== b.distinct
    ? a.distinct > b.distinct
    : a.matching !== b.matching
      ? a.matching > b.matching
      : a.offset < b.offset

const trimmed = ({ startLine, lines }: Snippet): Snippet => {
  const first = lines.findIndex(line => line.trim() !== '')
  const last = lines.findLastIndex(line => line.trim() !== '')
  return first === -1
    ? { startLine, lines }
    : { startLine: startLine + first, lines: lines.slice(first, last + 1) }
}
