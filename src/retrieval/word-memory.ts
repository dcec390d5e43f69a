/**
 * The words of notes, numbered, with their stems and vectors: words come again from turn to turn and from question to question.
 * Thousands of them are looked at for each question, so they lie side by side in arrays of numbers and not in an object each.
 */

import type { Embedder } from '../core/ports.js'
import { readPlainRuns } from '../text/plain-words.js'
import { type OfPiece, rememberingPieces } from '../text/remembering-pieces.js'
import { isStopWord } from '../text/stop-words.js'
import { tokenise } from '../text/tokenise.js'

export interface WordMemory {
  /** Of a word in small letters. */
  readonly numberOf: OfPiece<number>
  /** Of all words of a text, as they follow each other. */
  numbersIn(text: string): Uint32Array
  /** Asks the table for those that it was not asked for yet. */
  giveVectors(lists: Iterable<Uint32Array>): Promise<void>
  /** Equal for words with the same stem. */
  stemOf(number: number): number
  /** Where its vector begins in `vectors`; −1 for a word without one. */
  vectorAt(number: number): number
  /** Good until `giveVectors` is called again. */
  vectors(): Float32Array
  readonly dimensions: number
  /** How many numbers were given out. */
  size(): number
}

const WORD = /[\p{L}\p{N}]+/gu
/** More words than most people use; 25 MB of vectors when all of them have one. */
const MOST_WORDS = 50_000
/** In the texts that are remembered: 4 MB and their letters. */
const MOST_IN_TEXTS = 1_000_000
const NOT_ASKED = -2
const NONE = -1

const NO_TABLE = {}
const memories = new WeakMap<object, WordMemory>()

/** A new one when the old one is full; whoever still uses that can go on. */
export const wordMemoryOf = (embedder: Embedder | undefined): WordMemory => {
  const owner = embedder ?? NO_TABLE
  const known = memories.get(owner)
  if (known !== undefined && known.size() < MOST_WORDS) return known
  const fresh = createWordMemory(embedder)
  memories.set(owner, fresh)
  return fresh
}

const createWordMemory = (embedder: Embedder | undefined): WordMemory => {
  const dimensions = embedder?.dimensions ?? 0
  const words: string[] = []
  const stemNumbers = new Map<string, number>()
  let stems = new Uint32Array(1024)
  let places = new Int32Array(1024).fill(NOT_ASKED)
  let vectors = new Float32Array(0)
  let filled = 0

  const numberOf = rememberingPieces(MOST_WORDS, word => {
    const number = words.push(word) - 1
    if (number >= stems.length) {
      stems = larger(stems, new Uint32Array(2 * number))
      places = larger(places, new Int32Array(2 * number).fill(NOT_ASKED))
    }
    const stem = tokenise(word)[0] ?? word
    const known = stemNumbers.get(stem) ?? stemNumbers.size
    stemNumbers.set(stem, known)
    stems[number] = known
    return number
  })

  return {
    numberOf,
    numbersIn: rememberingNumbers(numberOf),
    dimensions,
    giveVectors: async lists => {
      const fresh = new Set<number>()
      for (const list of lists)
        for (let at = 0; at < list.length; at++) if (places[list[at]!] === NOT_ASKED) fresh.add(list[at]!)
      if (fresh.size === 0) return
      const meant = [...fresh].filter(number => hasMeaning(words[number]!))
      const found =
        (await embedder?.embed(
          meant.map(number => words[number]!),
          'passage',
        )) ?? []
      for (const number of fresh) places[number] = NONE
      const needed = filled + meant.length * dimensions
      if (needed > vectors.length) vectors = larger(vectors, new Float32Array(Math.ceil(1.5 * needed)))
      for (const [position, number] of meant.entries()) {
        const vector = found[position] ?? null
        if (vector === null) continue
        vectors.set(vector, filled)
        places[number] = filled
        filled += dimensions
      }
    },
    stemOf: number => stems[number]!,
    vectorAt: number => places[number]!,
    vectors: () => vectors,
    size: () => words.length,
  }
}

const larger = <Numbers extends Uint32Array | Int32Array | Float32Array>(
  before: Numbers,
  after: Numbers,
): Numbers => {
  after.set(before)
  return after
}

/** Turns come again as candidates and beside them: half of those of a question were read for one before. */
const rememberingNumbers = (numberOf: OfPiece<number>): WordMemory['numbersIn'] => {
  // When the newer half is full the older one goes, with what nobody asked for since.
  let newer = new Map<string, Uint32Array>()
  let older = newer
  let words = 0
  return text => {
    const known = newer.get(text)
    if (known !== undefined) return known
    const numbers = older.get(text) ?? readNumbers(text.toLowerCase(), numberOf)
    words += numbers.length
    if (words > MOST_IN_TEXTS / 2) {
      older = newer
      newer = new Map()
      words = numbers.length
    }
    newer.set(text, numbers)
    return numbers
  }
}

const readNumbers = (text: string, numberOf: OfPiece<number>): Uint32Array => {
  const numbers: number[] = []
  if (readPlainRuns(text, (start, end) => numbers.push(numberOf(text, start, end))))
    return new Uint32Array(numbers)
  return new Uint32Array((text.match(WORD) ?? []).map(word => numberOf(word, 0, word.length)))
}

/** What the table knows nothing of, numbers and names made of both, is only ever the same or another. */
const hasMeaning = (word: string): boolean => /^\p{L}{3,}$/u.test(word) && !isStopWord(word)
