/** Points in time as people type them, in milliseconds since 1970: `30d`, `2024-05-01`, `yesterday`, `last month`. */

const UNITS: Readonly<Record<string, (date: Date, count: number) => void>> = {
  h: (date, count) => date.setHours(date.getHours() - count),
  d: (date, count) => date.setDate(date.getDate() - count),
  w: (date, count) => date.setDate(date.getDate() - 7 * count),
  mo: (date, count) => goBackMonths(date, count),
  y: (date, count) => goBackMonths(date, 12 * count),
}
const WORDS: Readonly<Record<string, string>> = {
  yesterday: '1d',
  'last week': '1w',
  'last month': '1mo',
  'last year': '1y',
}
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/

/** A bare day begins at local midnight; as the end of a span it means the whole day. null when it cannot be read. */
export const parseMoment = (text: string, edge: 'since' | 'until', now: number): number | null => {
  const said = text.trim().toLowerCase()
  const span = /^(\d{1,5})(h|d|w|mo|y)$/.exec(WORDS[said] ?? said)
  if (span) return before(now, Number(span[1]), span[2]!)
  if (said === 'today') return dayOf(new Date(now), edge)
  if (DAY.test(said)) return parseDay(said, edge)
  const instant = INSTANT.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN
  return Number.isNaN(instant) ? null : instant
}

const before = (now: number, count: number, unit: string): number => {
  const date = new Date(now)
  UNITS[unit]!(date, count)
  return date.getTime()
}

/** A month before 31 May is 30 April, not 1 May. */
const goBackMonths = (date: Date, count: number): void => {
  const day = date.getDate()
  date.setMonth(date.getMonth() - count)
  if (date.getDate() !== day) date.setDate(0)
}

const parseDay = (text: string, edge: 'since' | 'until'): number | null => {
  const [year, month, day] = text.split('-').map(Number) as [number, number, number]
  const date = new Date(year, month - 1, day)
  // 31 February would quietly become 2 March.
  return date.getMonth() === month - 1 && date.getDate() === day ? dayOf(date, edge) : null
}

const dayOf = (date: Date, edge: 'since' | 'until'): number => {
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  const start = new Date(year, month, day).getTime()
  return edge === 'since' ? start : new Date(year, month, day + 1).getTime() - 1
}
