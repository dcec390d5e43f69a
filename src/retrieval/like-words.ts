/**
 * How like the words of a text are to those of a question: `kids` to `children`, `campfire` to `camping`. By the table of word
 * vectors that every installation has, so it costs no model.
 */

import type { Embedder } from '../core/ports.js'
import { readPlainRuns } from '../text/plain-words.js'
import { type OfPiece, rememberingPieces } from '../text/remembering-pieces.js'
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
  const formOf = formsFor(embedder)
  const asked = words.map(word => word.toLowerCase()).map(word => formOf(word, 0, word.length))
  const said = texts.map(text => formsIn(text.toLowerCase(), formOf))
  await giveVectors([asked, ...said], embedder)
  const question = ++questions
  return said.map(own => {
    const most = new Array<number>(words.length).fill(0)
    for (const form of own) {
      if (form.comparedFor !== question) {
        form.likeness = likenessOf(form, asked)
        form.comparedFor = question
      }
      const row = form.likeness
      // Most words are like none of the question.
      if (row === null) continue
      for (let column = 0; column < most.length; column++)
        if (row[column]! > most[column]!) most[column] = row[column]!
    }
    return most
  })
}

/** The same object for the same word, wherever it stands. */
interface WordForm {
  readonly word: string
  readonly stem: string
  /** Null where the table knows nothing of it; undefined until it was asked. */
  vector: Float32Array | null | undefined
  /** To the words of the question with this number; a note beside the word, which spares a Map of them. */
  likeness: Float64Array | null
  comparedFor: number
}

let questions = 0

const formsIn = (text: string, formOf: OfPiece<WordForm>): readonly WordForm[] => {
  const forms: WordForm[] = []
  if (readPlainRuns(text, (start, end) => forms.push(formOf(text, start, end)))) return forms
  return (text.match(WORD) ?? []).map(word => formOf(word, 0, word.length))
}

const giveVectors = async (
  lists: readonly (readonly WordForm[])[],
  embedder: Embedder | undefined,
): Promise<void> => {
  const fresh = new Set<WordForm>()
  for (const list of lists) for (const form of list) if (form.vector === undefined) fresh.add(form)
  if (fresh.size === 0) return
  const meant = [...fresh].filter(({ word }) => hasMeaning(word))
  const vectors =
    (await embedder?.embed(
      meant.map(({ word }) => word),
      'passage',
    )) ?? []
  for (const [position, form] of meant.entries()) form.vector = vectors[position] ?? null
  for (const form of fresh) form.vector ??= null
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
const dot = (one: WordForm['vector'], other: WordForm['vector']): number => {
  if (!one || !other) return 0
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
const remembered = new WeakMap<object, OfPiece<WordForm>>()

const formsFor = (embedder: Embedder | undefined): OfPiece<WordForm> => {
  const owner = embedder ?? NO_TABLE
  const known = remembered.get(owner)
  if (known !== undefined) return known
  const formOf = rememberingPieces(
    MEMORY,
    (word): WordForm => ({
      word,
      stem: tokenise(word)[0] ?? word,
      vector: undefined,
      likeness: null,
      comparedFor: 0,
    }),
  )
  remembered.set(owner, formOf)
  return formOf
}

/** What the table knows nothing of, numbers and names made of both, is only ever the same or another. */
const hasMeaning = (word: string): boolean => /^\p{L}{3,}$/u.test(word) && !isStopWord(word)
