/**
 * Stretches of time as people write them: `2019`, `May 2021`, `last quarter`, `3 weeks ago`. Pure calendar sums in UTC; what
 * words around them make of a stretch is for `time-words.ts` and `moments.ts` to say.
 */

/** Milliseconds since 1970, both ends included. Without `until` it goes on to the present. */
export interface Period {
  readonly from: number
  readonly until?: number
  /** `3 weeks ago` names a moment; the stretch around it is half a week to either side. */
  readonly at?: number
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const COUNTS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const YEAR = '(?:19|20)\\d\\d'
export const MONTH = `(?:${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'
export const UNIT = '(?:hour|day|week|month|quarter|year)'
export const COUNT = `(?:\\d{1,3}|an?|${COUNTS.slice(1).join('|')}|(?:an? )?(?:few|couple of))`

/** What `readPeriod` may understand, for searching in a longer text; the longest spelling of each first. */
export const PERIOD = [
  '\\d{4}-\\d\\d-\\d\\d',
  '\\d{4}-\\d\\d',
  `(?:early|mid|late)[ -]${YEAR}`,
  `${MONTH} ${DAY}(?:,? ${YEAR})?`,
  `${DAY} ${MONTH}(?:,? ${YEAR})?`,
  `(?:last )?${MONTH}(?:,? ${YEAR})?`,
  YEAR,
  'today|yesterday',
  '(?:last|past|this) (?:week|month|quarter|year)',
  `${COUNT} ${UNIT}s? ago`,
].join('|')

/** null when it is not a stretch of time, no real date, or yet to come. */
export const readPeriod = (text: string, now: number): Period | null => {
  const said = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const period = readDate(said, now) ?? readUnit(said, now) ?? readAgo(said, now)
  return period === null || Number.isNaN(period.from) || period.from > now ? null : period
}

const readDate = (said: string, now: number): Period | null => {
  const iso = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(said)
  if (iso) return iso[3] ? dayOf(+iso[1]!, +iso[2]! - 1, +iso[3]) : monthOf(+iso[1]!, +iso[2]! - 1)
  const third = new RegExp(`^(early|mid|late)[ -](${YEAR})$`).exec(said)
  if (third) return months(+third[2]!, THIRDS[third[1]!]!, 4)
  if (new RegExp(`^${YEAR}$`).test(said)) return months(+said, 0, 12)
  const named = new RegExp(`^(last )?(?:(${DAY}) )?(${MONTH})(?: (${DAY}))?(?:,? (${YEAR}))?$`).exec(said)
  if (named === null) return null
  const [, last, dayBefore, name, dayAfter, year] = named
  const day = dayBefore ?? dayAfter
  const month = MONTHS.findIndex(full => full.startsWith(name!.slice(0, 3)))
  const inYear = (y: number) =>
    day === undefined ? monthOf(y, month) : dayOf(y, month, Number.parseInt(day, 10))
  if (year !== undefined) return last ? null : inYear(+year)
  const thisYear = new Date(now).getUTCFullYear()
  return (
    [thisYear, thisYear - 1, thisYear - 2]
      .map(inYear)
      .find(period => period.from <= now && !(last && period.until! >= now)) ?? null
  )
}

const THIRDS: Readonly<Record<string, number>> = { early: 0, mid: 4, late: 8 }

const readUnit = (said: string, now: number): Period | null => {
  if (said === 'today') return wholeDay(startOf('day', now))
  if (said === 'yesterday') return wholeDay(startOf('day', now) - DAY_MS)
  const [, which, unit] = /^(last|past|this) (week|month|quarter|year)$/.exec(said) ?? []
  if (unit === undefined) return null
  if (which === 'past') return { from: back(now, 1, unit) }
  const start = startOf(unit, now)
  return which === 'this' ? { from: start } : { from: back(start, 1, unit), until: start - 1 }
}

const readAgo = (said: string, now: number): Period | null => {
  const [, count, unit] = new RegExp(`^(${COUNT}) (${UNIT})s? ago$`).exec(said) ?? []
  if (unit === undefined) return null
  const at = back(now, countOf(count!), unit)
  const half = (at - back(at, 1, unit)) / 2
  return { from: at - half, until: Math.min(now, at + half), at }
}

export const countOf = (word: string): number => {
  if (/^\d/.test(word)) return Number(word)
  if (word.endsWith('few')) return 3
  return word.endsWith('couple of') ? 2 : Math.max(1, COUNTS.indexOf(word))
}

const DAY_MS = 86_400_000

/** So many units before a moment. A month before 31 May is 30 April, not 1 May. */
export const back = (moment: number, count: number, unit: string): number => {
  if (unit === 'hour') return moment - (count * DAY_MS) / 24
  if (unit === 'day') return moment - count * DAY_MS
  if (unit === 'week') return moment - 7 * count * DAY_MS
  const date = new Date(moment)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - count * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1))
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** Weeks begin on Monday. */
const startOf = (unit: string, moment: number): number => {
  const date = new Date(moment)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (unit === 'day') return Date.UTC(year, month, day)
  if (unit === 'week') return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7))
  return Date.UTC(year, unit === 'year' ? 0 : unit === 'quarter' ? month - (month % 3) : month)
}

const months = (year: number, first: number, count: number): Period => ({
  from: Date.UTC(year, first),
  until: Date.UTC(year, first + count) - 1,
})

const UNREAL: Period = { from: Number.NaN }

const monthOf = (year: number, month: number): Period => (month in MONTHS ? months(year, month, 1) : UNREAL)

/** 31 February would quietly become 2 March. */
const dayOf = (year: number, month: number, day: number): Period => {
  const date = new Date(Date.UTC(year, month, day))
  return date.getUTCMonth() === month && date.getUTCDate() === day ? wholeDay(date.getTime()) : UNREAL
}

const wholeDay = (start: number): Period => ({ from: start, until: start + DAY_MS - 1 })
