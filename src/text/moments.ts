/**
 * Points in time as people type them in a flag, in milliseconds since 1970: `30d`, `2024-05-01`, `yesterday`, `last month`,
 * `March 2021`, `3 weeks ago`. Days are those of the local clock.
 */

import { back, readPeriod } from './periods.js'

const UNITS: Readonly<Record<string, string>> = { h: 'hour', d: 'day', w: 'week', mo: 'month', y: 'year' }
/** Here "last month" is where the last month begins, counted from now: an edge is wanted, not a stretch. */
const WORDS: Readonly<Record<string, string>> = {
  yesterday: '1d',
  'last week': '1w',
  'last month': '1mo',
  'last year': '1y',
}
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/

/** A bare day begins at local midnight; as the end of a span it means the whole day. null when it cannot be read. */
export const parseMoment = (text: string, edge: 'since' | 'until', now: number): number | null => {
  const said = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const wall = wallClock(now)
  const span = /^(\d{1,5})(h|d|w|mo|y)$/.exec(WORDS[said] ?? said)
  if (span) return fromWall(back(wall, Number(span[1]), UNITS[span[2]!]!))
  const period = readPeriod(said, LATEST_DAY.test(said) ? Number.POSITIVE_INFINITY : wall)
  if (period) return fromWall(period.at ?? (edge === 'since' ? period.from : (period.until ?? wall)))
  const instant = INSTANT.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  return Number.isNaN(instant) ? null : instant
}

/** A day that is written out may lie ahead: it is what it says. */
const LATEST_DAY = /^\d{4}-\d\d-\d\d$/

/** The local time as if it were UTC, so that one calendar does all sums. */
const wallClock = (moment: number): number => moment - new Date(moment).getTimezoneOffset() * 60_000

const fromWall = (wall: number): number => {
  const date = new Date(wall)
  return new Date(
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds(),
  ).getTime()
}
