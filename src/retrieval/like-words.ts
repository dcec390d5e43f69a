/**
 * How like the words of a text are to those of a question: `kids` to `children`, `campfire` to `camping`. By the table of word
 * vectors that every installation has, so it costs no model.
 */

import type { Embedder } from '../core/ports.js'
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
  const said = texts.map(text => [...new Set(text.toLowerCase().match(WORD) ?? [])])
  const distinct = [...new Set(said.flat())]
  const asked = words.map(word => word.toLowerCase())
  const vectors = embedder ? await vectorsOf([...asked, ...distinct], embedder) : new Map()
  const stems = asked.map(stemOf)
  const rows = new Map(
    distinct.map(word => {
      const stem = stemOf(word)
      const vector = vectors.get(word)
      const row = asked.map((other, position) =>
        stems[position] === stem ? 1 : likeness(vector, vectors.get(other)),
      )
      return [word, row]
    }),
  )
  return said.map(own =>
    asked.map((_, position) => Math.max(0, ...own.map(word => rows.get(word)![position]!))),
  )
}

const stemOf = (word: string): string => tokenise(word)[0] ?? word

const likeness = (one: Float32Array | null | undefined, other: Float32Array | null | undefined): number => {
  if (!one || !other) return 0
  let total = 0
  for (let i = 0; i < one.length; i++) total += one[i]! * other[i]!
  return total > LEAST ? total : 0
}

const remembered = new WeakMap<Embedder, Map<string, Float32Array | null>>()

const vectorsOf = async (
  words: readonly string[],
  embedder: Embedder,
): Promise<Map<string, Float32Array | null>> => {
  let known = remembered.get(embedder)
  if (known === undefined || known.size > MEMORY) known = new Map()
  remembered.set(embedder, known)
  const unknown = [...new Set(words)].filter(word => !known.has(word))
  const vectors = await embedder.embed(unknown, 'passage')
  for (const [position, word] of unknown.entries()) known.set(word, vectors[position] ?? null)
  return known
}
