/**
 * Times in a question: "who changed the parser last month" asks for the parser, among what happened last month. Reads English,
 * counts in UTC, and leaves alone what `time-guards.ts` takes for something else.
 */

import { isMeant } from './time-guards.js'
import { type Bounds, PATTERNS } from './time-patterns.js'

/** When, and in which words. */
export interface TimeReading extends Bounds {
  /** As written, in order. */
  readonly phrases: readonly string[]
  /** The question without them. */
  readonly rest: string
}

/** A report tells a story in which times are facts; a filter made of them would hide its cause. */
const LONGEST_QUESTION = 400
const MOST_WORDS = 40

export const readTimeWords = (question: string, now: number): TimeReading => {
  const untouched = { phrases: [], rest: question }
  if (question.length > LONGEST_QUESTION || question.trim().includes('\n')) return untouched
  if (question.trim().split(/\s+/).length > MOST_WORDS) return untouched
  const found = findTimes(question, now)
  const bounds = found.reduce<Bounds>((sum, time) => narrow(sum, time.bounds), {})
  const { since, until } = bounds
  if (found.length === 0 || (since !== undefined && until !== undefined && since > until)) return untouched
  const phrases = found.map(({ start, end }) => question.slice(start, end))
  return { ...bounds, phrases, rest: without(question, found) }
}

interface Found {
  readonly start: number
  readonly end: number
  readonly bounds: Bounds
}

const findTimes = (question: string, now: number): readonly Found[] => {
  const text = maskQuotations(question)
  const all = PATTERNS.flatMap(({ shape, read }) =>
    [...text.matchAll(shape)].flatMap((match): readonly Found[] => {
      const [start, end] = [match.index, match.index + match[0].length]
      const time = read(
        match.slice(1).map(group => group?.replace(/\s+/g, ' ') ?? ''),
        now,
      )
      if (time === null) return []
      const place = { before: text.slice(0, start), after: text.slice(end), tie: time.tie, time: time.time }
      return isMeant(place) ? [{ start, end, bounds: time.bounds }] : []
    }),
  )
  // The earliest, and of those the longest; what it covers is spoken for.
  const ordered = all.sort((a, b) => a.start - b.start || b.end - a.end)
  return ordered.filter((time, position) =>
    ordered.slice(0, position).every(other => other.end <= time.start),
  )
}

/** What stands in quotation marks or backticks is a text to look for. Lengths stay, so that places do. */
const maskQuotations = (question: string): string =>
  question.replace(/`[^`]*`|"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu, quotation =>
    '\0'.repeat(quotation.length),
  )

/** Both must hold. */
const narrow = (a: Bounds, b: Bounds): Bounds => ({
  ...a,
  ...b,
  ...(a.since !== undefined && b.since !== undefined && { since: Math.max(a.since, b.since) }),
  ...(a.until !== undefined && b.until !== undefined && { until: Math.min(a.until, b.until) }),
})

const without = (question: string, found: readonly Found[]): string => {
  const rest = found.reduceRight(
    (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`,
    question,
  )
  const tidy = rest
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:?!)])/g, '')
    .replace(/\( /g, '(')
    .replace(/\(\)|,(?=[,.;:?!])/g, '')
    .replace(/^[\s,;:.]+/, '')
    .trim()
  return /[\p{L}\p{N}]/u.test(tidy) ? tidy : ''
}
