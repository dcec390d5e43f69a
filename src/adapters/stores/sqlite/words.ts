/**
 * Search tokens as FTS5 stores them. Each token of a chunk becomes one posting `token:class`; the class tells how often the
 * token occurs in the body and whether it occurs in the header, the path and the symbols. A posting list thus carries all that
 * scoring needs, and FTS5 only has to keep and find lists, which it does ten times faster than it scores.
 */

import { createHash } from 'node:crypto'
import type { FieldTokens } from '../../../core/types.js'

/** How often a token occurs in each field of a chunk. */
export interface FieldCounts {
  readonly body: number
  readonly header: number
  readonly path: number
  readonly symbols: number
}

export interface PreparedWords {
  /** The text FTS5 takes. */
  readonly postings: string
  /** Number of tokens in each field, packed into 32 bits. */
  readonly lengths: number
  /** Sum of the hashes of all postings: what `check` compares the full-text index with. */
  readonly sum: number
}

/**
 * Levels of the count in the body: 0 to 4, 5–6, 7–9, 10–15, more; and the count that stands for all of a level. Coarser
 * levels change one of ten results, finer ones only make more lists.
 */
const LEVEL_OF_COUNT = [0, 1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7, 7, 7, 7, 7] as const
const HIGHEST_LEVEL = 8
const COUNT_OF_LEVEL = [0, 1, 2, 3, 4, 5.4, 7.8, 11.5, 20] as const

/** How a token was met so far, in one number: bits for the fields, and the count in the body above them. */
const HEADER = 1
const HEADER_AGAIN = 2
const PATH = 4
const SYMBOL = 8
const SYMBOL_AGAIN = 16
const BODY = 32
const PLACES = BODY - 1

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

export const prepareWords = (tokens: FieldTokens): PreparedWords => {
  const seen = new Map<string, number>()
  const body = splitField(tokens.body)
  const header = splitField(tokens.header)
  const path = splitField(tokens.path)
  const symbols = splitField(tokens.symbols)
  for (const token of body) seen.set(token, (seen.get(token) ?? 0) + BODY)
  for (const token of path) seen.set(token, (seen.get(token) ?? 0) | PATH)
  markTwice(seen, header, HEADER, HEADER_AGAIN)
  markTwice(seen, symbols, SYMBOL, SYMBOL_AGAIN)
  let postings = ''
  let sum = 0
  for (const [token, counted] of seen) {
    const posting = token + encodeClass(counted)
    postings += `${posting} `
    sum += hashWord(posting)
  }
  const lengths =
    packLength('body', body.length) |
    packLength('header', header.length) |
    packLength('path', path.length) |
    packLength('symbols', symbols.length)
  return { postings, lengths: lengths >>> 0, sum }
}

const markTwice = (
  seen: Map<string, number>,
  tokens: readonly string[],
  once: number,
  again: number,
): void => {
  for (const token of tokens) {
    const before = seen.get(token) ?? 0
    seen.set(token, before | (before & once ? again : once))
  }
}

const splitField = (field: string): readonly string[] => {
  if (field === '') return []
  const tokens = field.split(' ')
  const isPlain =
    !UNSAFE_IN_FIELD.test(field) && tokens.every(({ length }) => length > 0 && length <= LONGEST)
  return isPlain ? tokens : tokens.filter(token => token !== '').map(escapeToken)
}

/** One for each of 32 combinations; FTS5 would fold capitals. */
const PLACE_LETTERS = 'abcdefghijklmnopqrstuvwxyz012345'

/** There are only a few hundred, and one is needed for every token of every chunk. */
const classes = new Map<number, string>()

const encodeClass = (counted: number): string => {
  const known = classes.get(counted)
  if (known !== undefined) return known
  const level = LEVEL_OF_COUNT[Math.floor(counted / BODY)] ?? HIGHEST_LEVEL
  const name = `:${level}${PLACE_LETTERS[counted & PLACES]}`
  if (counted < 64 * BODY) classes.set(counted, name)
  return name
}

/** What the class of a posting says, with the count that stands for its level. */
export const decodeClass = (posting: string): FieldCounts => {
  const places = PLACE_LETTERS.indexOf(posting.at(-1)!)
  return {
    body: COUNT_OF_LEVEL[Number(posting.at(-2))] ?? 0,
    header: places & HEADER_AGAIN ? 2 : places & HEADER ? 1 : 0,
    path: places & PATH ? 1 : 0,
    symbols: places & SYMBOL_AGAIN ? 2 : places & SYMBOL ? 1 : 0,
  }
}

/** Where in the packed number the length of each field lies; longer fields count as the longest. */
export const LENGTH_BITS = {
  body: { shift: 0, longest: 0xfff },
  header: { shift: 12, longest: 0x7f },
  path: { shift: 19, longest: 0x3f },
  symbols: { shift: 25, longest: 0x7f },
} as const

const packLength = (field: keyof typeof LENGTH_BITS, length: number): number => {
  const { shift, longest } = LENGTH_BITS[field]
  return Math.min(length, longest) << shift
}

/** FNV-1a. */
export const hashWord = (word: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
