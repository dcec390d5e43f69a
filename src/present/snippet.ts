/** Picks the lines of a hit that are worth showing: the window that holds most of the question's words. */

import type { Hit } from '../core/answers.js'
import { wordsIn } from './question-words.js'

export interface Snippet {
  /** Line number of the first line. */
  readonly startLine: number
  readonly lines: readonly string[]
}

export const linesOf = (hit: Hit): Snippet => {
  const lines = hit.text.split('\n').map(line => line.replace(/\r+$/, ''))
  while (lines.length > 1 && lines.at(-1)!.trim() === '') lines.pop()
  const leading = lines.findIndex(line => line.trim() !== '')
  return leading > 0
    ? { startLine: hit.startLine + leading, lines: lines.slice(leading) }
    : { startLine: hit.startLine, lines }
}

export const bestLines = (hit: Hit, words: ReadonlySet<string>, most: number): Snippet => {
  const { startLine, lines } = linesOf(hit)
  if (lines.length <= most) return { startLine, lines }
  const found = lines.map(line => wordsIn(line, words))
  const windows = lines.slice(most - 1).map((_, start) => weigh(found.slice(start, start + most), start))
  const best = windows.reduce((a, b) => (isBetter(b, a) ? b : a))
  return trimmed({ startLine: startLine + best.start, lines: lines.slice(best.start, best.start + most) })
}

interface Window {
  readonly start: number
  readonly distinct: number
  readonly matching: number
  /** How far the first matching line is from standing second: one line of what leads to it reads best. */
  readonly offset: number
}

const weigh = (found: readonly ReadonlySet<string>[], start: number): Window => {
  const first = found.findIndex(words => words.size > 0)
  return {
    start,
    distinct: new Set(found.flatMap(words => [...words])).size,
    matching: found.filter(words => words.size > 0).length,
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
