/** Which words of a line the question asked for, by the same stems as the search itself. */

import { remembering } from '../text/remembering.js'
import { splitIdentifier } from '../text/split-identifier.js'
import { isStopWord } from '../text/stop-words.js'
import { tokenise } from '../text/tokenise.js'

/** A part of a line: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** More of a question than this would paint everything. */
const LONGEST_READ = 32_768
/** Those of the hits of an answer. */
const LINES_REMEMBERED = 2_000
const LONGEST_REMEMBERED = 400
const WORD = /[Cc]\+\+|\p{N}+(?:\.\p{N}+)+|[\p{L}\p{N}_$]+(?:['’]\p{L}+)*#?/gu

/** The tokens of a question that carry its subject; all of them when it is made of stop words only. */
export const questionWords = (question: string): ReadonlySet<string> => {
  const tokens = tokenise(question.slice(0, LONGEST_READ))
  const subject = tokens.filter(token => !isStopWord(token))
  return new Set(subject.length > 0 ? subject : tokens)
}

/** The question's words in a line. */
export const wordsIn = (line: string, words: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    (line.length > LONGEST_REMEMBERED ? tokenise(line) : tokensOf(line)).filter(token => words.has(token)),
  )

/** A line is read twice: to find what its hit is called, and to show it. */
const tokensOf = remembering(LINES_REMEMBERED, (line): readonly string[] => tokenise(line))

/** Where they stand: a whole identifier, or those of its parts that match. */
export const wordSpans = (line: string, words: ReadonlySet<string>): readonly Span[] => {
  const spans: Span[] = []
  for (const { 0: word, index } of line.matchAll(WORD)) {
    const [whole, ...parts] = tokenise(word)
    if (whole === undefined) continue
    if (words.has(whole)) spans.push({ start: index, end: index + word.length })
    else if (parts.some(part => words.has(part))) spans.push(...partSpans(word, index, words))
  }
  return spans
}

const partSpans = (word: string, offset: number, words: ReadonlySet<string>): readonly Span[] => {
  const spans: Span[] = []
  let from = 0
  for (const part of splitIdentifier(word)) {
    const start = word.indexOf(part, from)
    from = start + part.length
    if (tokenise(part).some(token => words.has(token)))
      spans.push({ start: offset + start, end: offset + from })
  }
  return spans
}
