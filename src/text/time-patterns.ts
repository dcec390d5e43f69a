/** The ways in which a question says a time, and the bounds that each of them means. `time-words.ts` looks for them. */

import { back, COUNT, countOf, MONTH, PERIOD, type Period, readPeriod, UNIT } from './periods.js'

export interface Bounds {
  /** Milliseconds since 1970, both included. */
  readonly since?: number
  readonly until?: number
  /** Releases by the name in the question: `v1.2`, or `1.2` after a word that says it is one. */
  readonly beforeTag?: string
  readonly afterTag?: string
}

interface Pattern {
  readonly shape: RegExp
  /** The bounds that the groups of the shape mean, and what ties the time to the question; null when it is none. */
  readonly read: (
    groups: readonly string[],
    now: number,
  ) => { tie: string; time: string; bounds: Bounds } | null
}

const TAG = '(v\\d+(?:\\.\\d+){0,3}(?:[-.]?(?:alpha|beta|rc|pre)[-.]?\\d*)?)'
const NUMBER = '(\\d+(?:\\.\\d+){1,3}(?:[-.]?(?:alpha|beta|rc)[-.]?\\d*)?)'
const SPANS = `(?:week|month|quarter|year)`
/** Blanks of any kind and number between words; a whole word at both ends. */
const shape = (source: string): RegExp =>
  new RegExp(`(?<![^\\s(])${source.replaceAll(' ', '\\s+')}(?=[\\s,;:!?)]|\\.(?:\\s|$)|$)`, 'gi')

export const PATTERNS: readonly Pattern[] = [
  {
    shape: shape(`between (${PERIOD}) and (${PERIOD})`),
    read: ([from = '', to = ''], now) => stretch('between', from, to, now),
  },
  {
    shape: shape(`from (${PERIOD}) (?:to|until|till|through) (${PERIOD})`),
    read: ([from = '', to = ''], now) => stretch('during', from, to, now),
  },
  {
    shape: shape(`(?:(?:in|over|during|within|for|from) )?(the )?(?:last|past) (${COUNT}) (${UNIT})s`),
    read: ([, count = '', unit = ''], now) => lately(countOf(count.toLowerCase()), unit, now),
  },
  {
    shape: shape(`(?:in|over|during|within|from) the (?:last|past) (${SPANS})`),
    read: ([unit = ''], now) => lately(1, unit, now),
  },
  {
    shape: shape(`(?:(?:ever|back) )?(since|after|before|until|till|in|during|from|of|for|on) (${PERIOD})`),
    read: ([tie = '', time = ''], now) => tied(tie.toLowerCase(), time, now),
  },
  {
    shape: shape(`(${PERIOD})`),
    read: ([time = ''], now) => (STANDS_ALONE.test(time) ? tied('', time, now) : null),
  },
  {
    shape: shape(`(last ${SPANS}|this ${SPANS}|yesterday|today)(?:'s|’s)`),
    read: ([time = ''], now) => possessive(time, now),
  },
  {
    shape: shape(`between ${TAG} and ${TAG}`),
    read: ([afterTag = '', beforeTag = '']) => released('between', { afterTag, beforeTag }),
  },
  {
    shape: shape(
      `(since|after|before|until) (?:(?:the )?(?:(?:release|version|tag) )?${TAG}(?: release)?|(?:the )?(?:release|version|tag) v?${NUMBER}|(?:the )?${NUMBER} release|(\\d+\\.\\d+\\.\\d+))`,
    ),
    read: ([tie = '', ...names]) => {
      const name = names.find(Boolean)!
      const isAfter = /^(?:since|after)$/i.test(tie)
      return released(tie.toLowerCase(), isAfter ? { afterTag: name } : { beforeTag: name })
    },
  },
]

/** Years and bare months need a word before them; these say by themselves what they are. */
const STANDS_ALONE = new RegExp(
  `^(?:(?:last|past|this) ${SPANS}|last ${MONTH}|today|yesterday|.* ago|${MONTH} \\d{4}|(?:early|mid|late)[ -]\\d{4})$`,
  'i',
)

const stretch = (tie: string, from: string, to: string, now: number): ReturnType<Pattern['read']> => {
  const [year] = /\b(?:19|20)\d\d$/.exec(to) ?? []
  // "between March and May 2021": the year belongs to both.
  const isShort = new RegExp(`^${MONTH}$`, 'i').test(from) && year !== undefined
  const [first, second] = [period(isShort ? `${from} ${year}` : from, now), period(to, now)]
  if (first === null || second === null || first.from > second.from) return null
  const until = second.at ?? second.until
  return { tie, time: to, bounds: { since: first.at ?? first.from, ...(until !== undefined && { until }) } }
}

const lately = (count: number, unit: string, now: number): ReturnType<Pattern['read']> => ({
  tie: 'in',
  time: unit,
  bounds: { since: back(now, count, unit.toLowerCase()) },
})

const tied = (tie: string, time: string, now: number): ReturnType<Pattern['read']> => {
  if (!mayTie(tie, time)) return null
  const read = period(time, now)
  return read && { tie, time, bounds: BOUNDS[tie]?.(read) ?? inside(read) }
}

/** A day is "on", and only a stretch that names itself is "of" or "for": "of 2020" may be anything. */
const mayTie = (tie: string, time: string): boolean => {
  if (tie === 'on') return /\d{4}-\d\d-\d\d|^\d{1,2}\D|\p{L} \d{1,2}(?!\d)/u.test(time)
  return !/^(?:of|for)$/.test(tie) || /^(?:last|this|past|yesterday|early|late)\b/i.test(time)
}

const possessive = (time: string, now: number): ReturnType<Pattern['read']> => {
  const read = period(time, now)
  return read && { tie: "'s", time, bounds: inside(read) }
}

const released = (tie: string, bounds: Bounds): ReturnType<Pattern['read']> => {
  const name = bounds.afterTag ?? bounds.beforeTag ?? ''
  // V8 is an engine.
  return /^V\d+$/.test(name) ? null : { tie, time: name, bounds }
}

/** 2000 is a round number more often than a year; `dec` and `mar` are words of programs unless they are written as names. */
const period = (time: string, now: number): Period | null => {
  const isNumber = /^2000$|^(?:19[0-8]\d)$/.test(time)
  const isShort = new RegExp(`^(?:last )?${MONTH}$`, 'i').test(time) && /\b\p{L}{3,4}$/u.test(time)
  const isName = /^(?:last )?(?:\p{Lu}\p{Ll}+|may|june|july)$/u.test(time)
  return isNumber || (isShort && !isName) ? null : readPeriod(time, now)
}

const inside = ({ from, until }: Period): Bounds => ({ since: from, ...(until !== undefined && { until }) })

const BOUNDS: Readonly<Record<string, (period: Period) => Bounds>> = {
  since: ({ from, at }) => ({ since: at ?? from }),
  after: ({ from, until, at }) => ({ since: at ?? (until === undefined ? from : until + 1) }),
  before: ({ from, at }) => ({ until: at ?? from - 1 }),
  until: ({ until, at }) => (at === undefined && until === undefined ? {} : { until: at ?? until! }),
  till: ({ until, at }) => (at === undefined && until === undefined ? {} : { until: at ?? until! }),
}
