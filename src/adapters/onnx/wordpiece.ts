/** Cuts text into the word pieces of BERT models, without special tokens. It gives the same tokens as the general tokenizer
 * library and is here because that one needs 80 ms to load, which a one-shot search cannot spare. */

import { remembering } from '../../text/remembering.js'

export interface WordPieces {
  /** At most `limit` ids; reading stops there, so a long text costs no more than a short one. */
  encode(text: string, limit: number): number[]
}

export interface WordPieceVocabulary {
  /** The id of a piece that begins a word, and of one that goes on with it (without its `##`). */
  start(piece: string): number | undefined
  continuation(piece: string): number | undefined
  readonly unknown: number
  /** No piece has more characters. */
  readonly longest: number
}

/** Words longer than this are unknown by the rules of BERT. */
const LONGEST_WORD = 100
/** Words already cut; code repeats its words, and a full cache is cheaper to drop than to manage. */
const REMEMBERED_WORDS = 50_000
/** No token limit reaches beyond this many characters of real text, and the rules below read all of what they are given. */
const LONGEST_TEXT = 1 << 20

enum Kind {
  Word,
  Blank,
  Punctuation,
}

export function wordPieces(vocabulary: WordPieceVocabulary): WordPieces {
  const piecesOf = remembering(REMEMBERED_WORDS, word => cutWord(word, vocabulary))

  const encode = (text: string, limit: number): number[] => {
    const ids: number[] = []
    const clean = normalise(text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text)
    let start = 0
    const endWord = (end: number) => {
      if (end > start) ids.push(...piecesOf(clean.slice(start, end)))
    }
    for (let position = 0; position < clean.length && ids.length < limit; ) {
      const code = clean.codePointAt(position) ?? 0
      const width = code > 0xffff ? 2 : 1
      const kind = kindOf(code)
      if (kind !== Kind.Word) {
        endWord(position)
        start = position + width
        if (kind === Kind.Punctuation) ids.push(...piecesOf(clean.slice(position, start)))
      }
      position += width
    }
    if (ids.length < limit) endWord(clean.length)
    if (ids.length > limit) ids.length = limit
    return ids
  }
  return { encode }
}

/** Tokens with their ids, as a vocabulary. */
export function vocabularyOf(tokens: Iterable<readonly [string, number]>): WordPieceVocabulary {
  const starts = new Map<string, number>()
  const continuations = new Map<string, number>()
  let longest = 1
  for (const [token, id] of tokens) {
    if (token.length > 2 && token.startsWith('##')) continuations.set(token.slice(2), id)
    else starts.set(token, id)
    if (token.length > longest) longest = token.length
  }
  const unknown = starts.get('[UNK]')
  if (unknown === undefined) throw new Error('the vocabulary has no token for unknown words')
  return {
    start: piece => starts.get(piece),
    continuation: piece => continuations.get(piece),
    unknown,
    longest,
  }
}

/** Greedy: the longest piece that fits, again and again; a word with a part that no piece fits is unknown as a whole. */
function cutWord(word: string, vocabulary: WordPieceVocabulary): readonly number[] {
  const { unknown, longest } = vocabulary
  const whole = vocabulary.start(word)
  if (whole !== undefined) return [whole]
  if (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD) return [unknown]
  const pieces: number[] = []
  for (let start = 0; start < word.length; ) {
    const idOf = start === 0 ? vocabulary.start : vocabulary.continuation
    let end = Math.min(word.length, start + longest)
    let id: number | undefined
    for (; end > start; end--) {
      id = idOf(word.slice(start, end))
      if (id !== undefined) break
    }
    if (id === undefined) return [unknown]
    pieces.push(id)
    start = end
  }
  return pieces
}

const PLAIN = /^[\t\n\r\x20-\x7e]*$/
const REMOVED = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const HAN = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g
const ACCENT = /\p{Mn}/gu

/** Lower case without accents and control characters; Han characters stand alone. Nearly all code is plain ASCII. */
function normalise(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .replace(REMOVED, '')
    .replace(/\s/g, ' ')
    .replace(HAN, ' $& ')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENT, '')
}

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32) return Kind.Blank
  return /[a-z0-9]/i.test(String.fromCharCode(code)) || code === 127 ? Kind.Word : Kind.Punctuation
})

function kindOf(code: number): Kind {
  if (code < 128) return ASCII_KINDS[code] as Kind
  const character = String.fromCodePoint(code)
  if (/\p{P}/u.test(character)) return Kind.Punctuation
  return /\s/.test(character) ? Kind.Blank : Kind.Word
}
