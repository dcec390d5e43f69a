/**
 * Text to search tokens, by the same rules for the index and for questions. Identifiers are kept whole and split
 * (`getUserName` and `get_user_name` → getusername, get, user, name), words are stemmed, versions and names such as `C++` stay whole,
 * scripts without blanks between words become pairs of characters.
 */

import { readPlainWords } from './plain-words.js'
import { rememberingPieces } from './remembering-pieces.js'
import { splitIdentifier } from './split-identifier.js'
import { stem } from './stem.js'

const WORDS = /[Cc]\+\+|[CcFf]#(?![\p{L}\p{N}_])|\p{N}+(?:\.\p{N}+)+|[\p{L}\p{N}_$]+(?:['’]\p{L}+)*/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const LONGEST_TOKEN = 64
/** Identifiers repeat: remembering what a word became makes indexing several times faster. */
const MEMORY = 100_000

/** All tokens in order, with repetitions. */
export const tokenise = (text: string): string[] => {
  const tokens: string[] = []
  const take = (start: number, end: number, within = text): void => {
    for (const token of tokensOf(within, start, end)) tokens.push(token)
  }
  if (readPlainWords(text, take)) return tokens
  tokens.length = 0
  for (const word of text.toWellFormed().match(WORDS) ?? []) take(0, word.length, word)
  return tokens
}

/** Which of these tokens a text says. As `tokenise`, without a list of all the others. */
export const tokensSaid = (text: string, asked: { has(token: string): boolean }): ReadonlySet<string> => {
  const said = new Set<string>()
  const take = (start: number, end: number, within = text): void => {
    for (const token of tokensOf(within, start, end)) if (asked.has(token)) said.add(token)
  }
  if (readPlainWords(text, take)) return said
  said.clear()
  for (const word of text.toWellFormed().match(WORDS) ?? []) take(0, word.length, word)
  return said
}

const analyse = (word: string): readonly string[] => {
  if (/[+#.]/.test(word)) return [word.toLowerCase()]
  if (UNSPACED.test(word)) return characterPairs(word)
  const plain = word.replace(/['’$]/g, '').normalize('NFKC')
  const parts = splitIdentifier(plain).map(part => part.toLowerCase())
  // Without seams, so that `thread_pool`, `threadPool` and the two words `thread pool` of a question meet.
  const whole = plain.toLowerCase().replaceAll('_', '')
  if (parts.length === 0) return []
  if (parts.length === 1) return [shortened(stem(parts[0]!))]
  // Hashes and base64 fall apart into dozens of parts that nobody searches for.
  if (parts.length > 12) return [shortened(whole)]
  return [shortened(whole), ...parts.filter(isWorthATerm).map(part => shortened(stem(part)))]
}

const tokensOf = rememberingPieces(MEMORY, analyse)

const isWorthATerm = (part: string): boolean => part.length > 1 || !/[\p{N}]/u.test(part)

const shortened = (token: string): string =>
  token.length <= LONGEST_TOKEN ? token : token.slice(0, LONGEST_TOKEN).toWellFormed()

const characterPairs = (run: string): readonly string[] => {
  const characters = [...run.toLowerCase()]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, position) => characters[position]! + character)
}
