/**
 * How like the words of a text are to those of a question: `kids` to `children`, `campfire` to `camping`. By the table of word
 * vectors that every installation has, so it costs no model.
 */

import type { Embedder } from '../core/ports.js'
import { isStopWord } from '../text/stop-words.js'
import { tokenise } from '../text/tokenise.js'

/** Below it two words have nothing to do with each other. */
const LEAST = 0.3
const WORD = /[\p{L}\p{N}]+/gu
/** Words come again from question to question. */
const MEMORY = 50_000

/** For each text a row with the likeness of its likest word to each word of the question; without vectors only the same words count. */
export const likenessTo = async (
  words: readonly string[],
  texts: readonly string[],
  embedder: Embedder | undefined,
): Promise<readonly (readonly number[])[]> => {
  if (words.length === 0) return texts.map(() => [])
  const said = texts.map(text => text.toLowerCase().match(WORD) ?? [])
  const distinct = new Set<string>()
  for (const own of said) for (const word of own) distinct.add(word)
  const asked = words.map(word => word.toLowerCase())
  const known = await knownWords([...asked, ...distinct], embedder)
  const askedForms = asked.map(word => known.get(word)!)
  // Most words are like none of the question: only the others are kept.
  const alike = new Map<string, Float64Array>()
  for (const word of distinct) {
    const row = likenessOf(known.get(word)!, askedForms)
    if (row !== null) alike.set(word, row)
  }
  return said.map(own => {
    const most = new Array<number>(asked.length).fill(0)
    for (const word of own) {
      const row = alike.get(word)
      if (row === undefined) continue
      for (let column = 0; column < most.length; column++)
        if (row[column]! > most[column]!) most[column] = row[column]!
    }
    return most
  })
}

interface WordForm {
  readonly stem: string
  readonly vector: Float32Array | null
}

/** Null where it is like none of them. */
const likenessOf = ({ stem, vector }: WordForm, asked: readonly WordForm[]): Float64Array | null => {
  let row: Float64Array | null = null
  for (let column = 0; column < asked.length; column++) {
    const other = asked[column]!
    const value = other.stem === stem ? 1 : dot(vector, other.vector)
    if (value <= LEAST) continue
    row ??= new Float64Array(asked.length)
    row[column] = value
  }
  return row
}

/** Four sums at a time: thousands of words are compared for each question. */
const dot = (one: Float32Array | null, other: Float32Array | null): number => {
  if (one === null || other === null) return 0
  let [a, b, c, d] = [0, 0, 0, 0]
  for (let i = 0; i < one.length; i += 4) {
    a += one[i]! * other[i]!
    b += one[i + 1]! * other[i + 1]!
    c += one[i + 2]! * other[i + 2]!
    d += one[i + 3]! * other[i + 3]!
  }
  return a + b + c + d
}

const NO_TABLE = {}
const remembered = new WeakMap<object, Map<string, WordForm>>()

const knownWords = async (
  words: readonly string[],
  embedder: Embedder | undefined,
): Promise<ReadonlyMap<string, WordForm>> => {
  const owner = embedder ?? NO_TABLE
  let known = remembered.get(owner)
  if (known === undefined || known.size > MEMORY) known = new Map()
  remembered.set(owner, known)
  const unknown = words.filter(word => !known.has(word))
  const meant = unknown.filter(hasMeaning)
  const vectors = (await embedder?.embed(meant, 'passage')) ?? []
  const vectorOf = new Map(meant.map((word, position) => [word, vectors[position] ?? null]))
  for (const word of unknown)
    known.set(word, { stem: tokenise(word)[0] ?? word, vector: vectorOf.get(word) ?? null })
  return known
}

/** What the table knows nothing of, numbers and names made of both, is only ever the same or another. */
const hasMeaning = (word: string): boolean => /^\p{L}{3,}$/u.test(word) && !isStopWord(word)
