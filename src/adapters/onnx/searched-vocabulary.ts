/**
 * A vocabulary for whoever asks little: the words of a question are looked for in the text of the vocabulary, because laying out
 * 30,000 tokens takes longer than the whole search. Who asks for many words gets them laid out.
 */

import { vocabularyOf, type WordPieceVocabulary } from './wordpiece.js'

/** A look through the text takes some fifty microseconds; by now laying out would have been cheaper. */
const MOST_SEARCHED = 300

const LINE_END = 10

/** `text` has a token a line, in the order of their ids. */
export const searchedVocabulary = (text: Uint8Array): WordPieceVocabulary => {
  const lines = Buffer.concat([Buffer.of(LINE_END), text])
  const starts = lineStarts(lines)
  let searched = 0
  let laidOut: WordPieceVocabulary | undefined

  const search = (token: string): number | undefined => {
    // Half of a character is no token; Node 24 ends the process when it is to look for one in bytes.
    if (!token.isWellFormed()) return undefined
    searched++
    const at = lines.indexOf(`\n${token}\n`)
    return at < 0 ? undefined : lineAt(starts, at + 1)
  }
  const layOut = (): WordPieceVocabulary | undefined => {
    if (searched >= MOST_SEARCHED && laidOut === undefined)
      laidOut = vocabularyOf(
        Buffer.from(text)
          .toString()
          .trimEnd()
          .split('\n')
          .map((token, id) => [token, id] as const),
      )
    return laidOut
  }
  const unknown = search('[UNK]')
  if (unknown === undefined) throw new Error('the vocabulary has no token for unknown words')
  return {
    start: piece => {
      const all = layOut()
      if (all) return all.start(piece)
      return piece.length > 2 && piece.startsWith('##') ? undefined : search(piece)
    },
    continuation: piece => {
      const all = layOut()
      return all ? all.continuation(piece) : search(`##${piece}`)
    },
    unknown,
    // In bytes, which are never fewer than characters.
    longest: starts.reduce((most, start, id) => Math.max(most, (starts[id + 1] ?? start) - start), 1),
  }
}

const lineStarts = (lines: Uint8Array): Uint32Array => {
  const starts = new Uint32Array(lines.length)
  let count = 0
  for (let at = 0; at < lines.length; at++) if (lines[at] === LINE_END) starts[count++] = at + 1
  return starts.subarray(0, count)
}

/** Lines come in order, so each is found by halving. */
const lineAt = (starts: Uint32Array, start: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < start) low = middle + 1
    else high = middle
  }
  return low
}
