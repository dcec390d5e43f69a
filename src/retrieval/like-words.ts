/**
 * How like the words of a text are to those of a question: `kids` to `children`, `campfire` to `camping`. By the table of word
 * vectors that every installation has, so it costs no model.
 */

import type { Embedder } from '../core/ports.js'
import { type WordMemory, wordMemoryOf } from './word-memory.js'

/** Below it two words have nothing to do with each other. */
const LEAST = 0.3

/** For each text a row with the likeness of its likest word to each word of the question; without vectors only the same words count. */
export const likenessTo = async (
  words: readonly string[],
  texts: readonly string[],
  embedder: Embedder | undefined,
): Promise<readonly ArrayLike<number>[]> => {
  if (words.length === 0) return texts.map(() => [])
  const memory = wordMemoryOf(embedder)
  const asked = Uint32Array.from(words, word => {
    const small = word.toLowerCase()
    return memory.numberOf(small, 0, small.length)
  })
  const said = texts.map(memory.numbersIn)
  await memory.giveVectors([asked, ...said])
  const rowOf = rowsFor(asked, memory)
  return said.map(numbers => {
    const most = new Float64Array(words.length)
    for (let at = 0; at < numbers.length; at++) {
      const row = rowOf(numbers[at]!)
      // Most words are like none of the question.
      if (row === null) continue
      for (let column = 0; column < most.length; column++)
        if (row[column]! > most[column]!) most[column] = row[column]!
    }
    return most
  })
}

const UNLIKE = 1
const LIKE = 2

/** The likeness of a word to each of the question, worked out once; null where it is like none of them. */
const rowsFor = (asked: Uint32Array, memory: WordMemory): ((number: number) => Float64Array | null) => {
  const { dimensions, stemOf, vectorAt } = memory
  const vectors = memory.vectors()
  const state = new Uint8Array(memory.size())
  const rows = new Map<number, Float64Array>()
  const askedStems = Array.from(asked, stemOf)
  // Doubles already: thousands of words are compared with them.
  const askedVectors = Array.from(asked, number => {
    const at = vectorAt(number)
    return at < 0 ? null : Float64Array.from(vectors.subarray(at, at + dimensions))
  })
  const compare = (number: number): Float64Array | null => {
    const [stem, at] = [stemOf(number), vectorAt(number)]
    let row: Float64Array | null = null
    for (let column = 0; column < askedStems.length; column++) {
      const other = askedVectors[column]!
      const value = askedStems[column] === stem ? 1 : at < 0 || other === null ? 0 : dot(vectors, at, other)
      if (value <= LEAST) continue
      row ??= new Float64Array(askedStems.length)
      row[column] = value
    }
    return row
  }
  return number => {
    if (state[number] === UNLIKE) return null
    if (state[number] === LIKE) return rows.get(number)!
    const row = compare(number)
    state[number] = row === null ? UNLIKE : LIKE
    if (row !== null) rows.set(number, row)
    return row
  }
}

/** Four sums at a time. */
const dot = (vectors: Float32Array, at: number, other: Float64Array): number => {
  let [a, b, c, d] = [0, 0, 0, 0]
  for (let i = 0; i < other.length; i += 4) {
    a += vectors[at + i]! * other[i]!
    b += vectors[at + i + 1]! * other[i + 1]!
    c += vectors[at + i + 2]! * other[i + 2]!
    d += vectors[at + i + 3]! * other[i + 3]!
  }
  return a + b + c + d
}
