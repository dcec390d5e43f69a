/** Which words the first results have in common that the question does not say: feedback without a model. Pure. */

import type { StoredChunk } from '../core/types.js'
import { isStopWord } from '../text/stop-words.js'
import { tokenise } from '../text/tokenise.js'

/** A word as it stands in the text, with the token that finds it. */
export interface FeedbackWord {
  readonly word: string
  readonly token: string
  /** Share of the first results that hold it, the first ones counting more. */
  readonly share: number
}

const TEXT_READ = 2_000
const WORD = /[\p{L}_$][\p{L}\p{N}_$]{2,40}/gu

/** Words that at least two results hold. */
export const commonWords = (chunks: readonly StoredChunk[], question: string): readonly FeedbackWord[] => {
  const said = new Set(tokenise(question))
  const found = new Map<string, { word: string; share: number; results: number }>()
  let total = 0
  for (const [position, chunk] of chunks.entries()) {
    const weight = 1 / (position + 1)
    total += weight
    const here = new Map<string, string>()
    for (const word of `${chunk.header}\n${chunk.text.slice(0, TEXT_READ)}`.match(WORD) ?? []) {
      const [token] = tokenise(word)
      if (token === undefined || said.has(token) || isStopWord(token) || here.has(token)) continue
      here.set(token, word)
    }
    for (const [token, word] of here) {
      const before = found.get(token) ?? { word, share: 0, results: 0 }
      found.set(token, { ...before, share: before.share + weight, results: before.results + 1 })
    }
  }
  return [...found]
    .filter(([, { results }]) => results >= 2)
    .map(([token, { word, share }]) => ({ word, token, share: share / total }))
}
