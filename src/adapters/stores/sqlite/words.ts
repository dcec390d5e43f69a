/**
 * Search tokens as FTS5 stores them. Each token of a chunk becomes one posting `token:class`; the class tells how often the
 * token occurs in each field. A posting list thus carries all that scoring needs, and FTS5 only has to keep and find lists,
 * which it does ten times faster than it scores.
 */

import { createHash } from 'node:crypto'
import type { FieldName, FieldTexts } from '../../../core/types.js'
import { remembering } from '../../../text/remembering.js'
import { packLengths } from './lengths.js'

/** How often a token occurs in each field of a chunk. */
export type FieldCounts = Readonly<Record<FieldName, number>>

export interface PreparedWords {
  /** The text FTS5 takes. */
  readonly postings: string
  /** Number of tokens in each field, packed into two numbers. */
  readonly lengths: readonly [number, number]
  /** Sum of the hashes of all postings: what `check` compares the full-text index with. */
  readonly sum: number
}

/**
 * Levels of a count in running text: 0 to 4, 5–6, 7–9, 10–15, more; and the count that stands for all of a level. Coarser
 * levels change one of ten results, finer ones only make more lists.
 */
const LEVEL_OF_COUNT = [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7] as const
const HIGHEST_LEVEL = 8
const COUNT_OF_LEVEL = [0, 1, 2, 3, 4, 5.4, 7.8, 11.5, 20] as const
/** Of the fields that only commits have, fewer levels rank as well: 0, 1, 2, 3–4, more. */
const COARSE_LEVEL_OF_COUNT = [0, 1, 2, 3, 3] as const
const HIGHEST_COARSE_LEVEL = 4
const COUNT_OF_COARSE_LEVEL = [0, 1, 2, 3.5, 7] as const

/** How a token was met so far, in one number: bits for the short fields, and the counts in running text above them. */
const HEADER = 1
const HEADER_AGAIN = 2
const PATH = 4
const SYMBOL = 8
const SYMBOL_AGAIN = 16
const TITLE = 32
/** From here on five bits for each count, by how far to shift: all together stay a small whole number, which is quick. */
const BODY = 6
const TESTS = 11
const REMOVED = 16
const NOTES = 21
const MOST_COUNTED = 31

/** Everything else is written as `%` and four digits: FTS5 would cut tokens there, or fold capitals into small letters. */
const UNSAFE = /[^a-z0-9_.+#\-\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/gu
const UNSAFE_IN_FIELD = /[^a-z0-9_.+#\- \u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/u
/** FTS5 cuts tokens off at 32,768 bytes: long ones are kept as their hash. */
const LONGEST = 256

/** One to one: different tokens stay different, and each is a single word to FTS5. */
export const escapeToken = (token: string): string => {
  if (token.length > LONGEST) return `%x${createHash('sha256').update(token, 'utf16le').digest('hex')}`
  return token.replace(UNSAFE, character => `%${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** All postings of a token lie between these two. */
export const postingRange = (token: string): readonly [from: string, below: string] => {
  const escaped = escapeToken(token)
  return [`${escaped}:`, `${escaped};`]
}

export const prepareWords = (tokens: FieldTexts): PreparedWords => {
  const seen = new Map<string, number>()
  const fields = {
    body: splitField(tokens.body),
    header: splitField(tokens.header),
    path: splitField(tokens.path),
    symbols: splitField(tokens.symbols),
    title: splitField(tokens.title),
    tests: splitField(tokens.tests),
    removed: splitField(tokens.removed),
    notes: splitField(tokens.notes),
  }
  count(seen, fields.body, BODY)
  count(seen, fields.tests, TESTS)
  count(seen, fields.removed, REMOVED)
  count(seen, fields.notes, NOTES)
  mark(seen, fields.header, HEADER, HEADER_AGAIN)
  mark(seen, fields.path, PATH, PATH)
  mark(seen, fields.symbols, SYMBOL, SYMBOL_AGAIN)
  mark(seen, fields.title, TITLE, TITLE)
  let postings = ''
  let sum = 0
  for (const [token, met] of seen) {
    const posting = token + encodeClass(met)
    postings += `${posting} `
    sum += hashWord(posting)
  }
  return { postings, lengths: packLengths(field => fields[field].length), sum }
}

const count = (seen: Map<string, number>, tokens: readonly string[], shift: number): void => {
  for (const token of tokens) {
    const before = seen.get(token) ?? 0
    // Never into the next field's bits; beyond this all counts are alike.
    if (countIn(before, shift) < MOST_COUNTED) seen.set(token, before + (1 << shift))
  }
}

const countIn = (met: number, shift: number): number => (met >> shift) & MOST_COUNTED

const mark = (seen: Map<string, number>, tokens: readonly string[], once: number, again: number): void => {
  for (const token of tokens) {
    const before = seen.get(token) ?? 0
    seen.set(token, before | (before & once ? again : once))
  }
}

const NONE: readonly string[] = []

const splitField = (field: string | undefined): readonly string[] => {
  if (field === undefined || field === '') return NONE
  const tokens = field.split(' ')
  const isPlain = !UNSAFE_IN_FIELD.test(field) && areUsual(tokens)
  return isPlain ? tokens : tokens.filter(token => token !== '').map(escapeToken)
}

const areUsual = (tokens: readonly string[]): boolean => {
  for (const { length } of tokens) if (length === 0 || length > LONGEST) return false
  return true
}

/** One for each of 32 combinations; FTS5 would fold capitals. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyz012345'

/** There are only some thousands, and one is needed for every token of every chunk. */
const classes = new Map<number, string>()

/** Body, short fields, and only where there is something to say: tests, removed, title, notes. */
const encodeClass = (met: number): string => {
  const known = classes.get(met)
  if (known !== undefined) return known
  const level = LEVEL_OF_COUNT[countIn(met, BODY)] ?? HIGHEST_LEVEL
  const coarse = (shift: number) => COARSE_LEVEL_OF_COUNT[countIn(met, shift)] ?? HIGHEST_COARSE_LEVEL
  const more = `${coarse(TESTS)}${coarse(REMOVED)}${met & TITLE ? 1 : 0}${coarse(NOTES)}`
  const name = `:${level}${DIGITS[met & (TITLE - 1)]}${more === '0000' ? '' : more}`
  if (classes.size < 50_000) classes.set(met, name)
  return name
}

/** What the class of a posting says, with the count that stands for its level. The same object for the same class. */
export const decodeClass = (posting: string): FieldCounts =>
  countsOf(posting.slice(posting.lastIndexOf(':') + 1))

const countsOf = remembering(50_000, (name): FieldCounts => {
  const places = DIGITS.indexOf(name[1] ?? 'a')
  const coarse = (at: number) => COUNT_OF_COARSE_LEVEL[Number(name[at] ?? 0)] ?? 0
  const twice = (once: number, again: number) => (places & again ? 2 : places & once ? 1 : 0)
  return {
    body: COUNT_OF_LEVEL[Number(name[0] ?? 0)] ?? 0,
    header: twice(HEADER, HEADER_AGAIN),
    path: places & PATH ? 1 : 0,
    symbols: twice(SYMBOL, SYMBOL_AGAIN),
    title: Number(name[4] ?? 0),
    tests: coarse(2),
    removed: coarse(3),
    notes: coarse(5),
  }
})

/** FNV-1a. */
export const hashWord = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
