/** Variations that the asker wrote: an agent or a person words a question better than a small model. Nothing is asked of anyone. */

import type { Expander } from '../../core/ports.js'
import { sameWords } from './clean-variation.js'

export const MOST_CALLER_QUERIES = 10

export const caller = (queries: readonly string[]): Expander => ({
  id: 'caller',
  async expand({ question }) {
    const seen = new Set([sameWords(question)])
    const variations = queries.flatMap(query => {
      const text = query.trim()
      const words = sameWords(text)
      if (text === '' || seen.has(words)) return []
      seen.add(words)
      return [{ strategy: 'caller' as const, text }]
    })
    return { variations: variations.slice(0, MOST_CALLER_QUERIES), cached: false, tokens: null }
  },
})
