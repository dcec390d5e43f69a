/** Times as conversations and front matter spell them, and whether to believe them. */

/** A time, or what is odd about what stands there; null where nothing does. */
export type TimeReading = { readonly time: number } | { readonly odd: string } | null

const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)
/** Larger numbers count milliseconds, smaller ones seconds: 1e11 seconds are in the year 5138. */
const MOST_SECONDS = 1e11

const NUMBER = /^-?\d+(?:\.\d+)?$/
const ISO =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?\s*(Z|[+-]\d{2}:?\d{2}|UTC)?$/i
/** `1:56 pm on 8 May, 2023` */
const CLOCK_FIRST = /^(\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?)\s*(?:on|,)\s*(.+)$/i
const ZONE = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\s*$/i

export const readTime = (given: unknown): TimeReading => {
  if (given === undefined || given === null || given === '') return null
  if (typeof given === 'number') return believed(fromNumber(given), given)
  if (typeof given !== 'string') return { odd: 'the time is neither a text nor a number' }
  const text = given.trim()
  if (text === '') return null
  if (NUMBER.test(text)) return believed(fromNumber(Number(text)), given)
  return believed(fromWords(text), given)
}

/** Days and clocks without a zone are taken as UTC: the same file means the same on every machine. */
const fromWords = (text: string): number => {
  const iso = ISO.exec(text)
  if (iso)
    return Date.parse(
      iso[1] || /^\S{10}$/.test(text)
        ? text.replace(' ', 'T').replace(/\s*UTC$/i, 'Z')
        : `${text.replace(' ', 'T').replace(',', '.')}Z`,
    )
  const [, clock, day] = CLOCK_FIRST.exec(text) ?? []
  const plain = clock === undefined ? text : `${day} ${clock}`
  const spelled = plain.replace(/\b([ap])\.m\.?/gi, '$1m').replace(/(\d)([ap]m)\b/i, '$1 $2')
  // Without a letter it is 04/05/2023, which means two days to two people.
  if (!/[a-z]{3}/i.test(spelled.replace(/[ap]m/i, ''))) return Number.NaN
  return Date.parse(ZONE.test(spelled) ? spelled : `${spelled.replace(/(\d)(?:st|nd|rd|th)\b/i, '$1')} UTC`)
}

/** 0 and less is a clock that was never set. */
const fromNumber = (number: number): number =>
  number <= 0 ? Number.NaN : Math.round(number < MOST_SECONDS ? number * 1000 : number)

const believed = (time: number, given: unknown): TimeReading => {
  const said = JSON.stringify(String(given).slice(0, 60))
  if (Number.isNaN(time)) return { odd: `the time ${said} cannot be read` }
  return time < EARLIEST || time >= LATEST ? { odd: `the time ${said} is not believed` } : { time }
}
