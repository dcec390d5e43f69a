/**
 * The expander that needs no model and no network: the first results of the question say which names and which words belong to
 * it in this index.
 */

import type { Expander, IndexReader } from '../core/ports.js'
import type { QuestionVariation } from '../core/types.js'
import { commonWords, relatedNames } from '../ranking/feedback-words.js'

/** Few, and the best: results further down are about something else. */
const RESULTS_READ = 8
const MOST_WORDS = 8
const MOST_NAMES = 6

export const localExpander = (index: IndexReader): Expander => ({
  id: 'local',
  async expand({ question, count, strategies, firstResults }) {
    const chunks = (await firstResults()).slice(0, RESULTS_READ)
    const names = strategies.includes('entity') ? relatedNames(chunks, question).slice(0, MOST_NAMES) : []
    const words = await rareWords()
    const variations: QuestionVariation[] = [
      ...(names.length > 0 ? [{ strategy: 'entity' as const, text: names.join(' ') }] : []),
      ...(words.length > 0 ? [{ strategy: 'feedback' as const, text: words.join(' ') }] : []),
    ]
    return { variations: variations.slice(0, count), cached: false, tokens: null }

    /** What many first results say and few other chunks. */
    async function rareWords(): Promise<readonly string[]> {
      const common = commonWords(chunks, question)
      const { total, counts } = await index.frequencies(common.map(({ token }) => token))
      return common
        .map(({ word, token, share }) => ({
          word,
          worth: share * Math.log((total + 1) / ((counts.get(token) ?? 0) + 0.5)),
        }))
        .sort((a, b) => b.worth - a.worth)
        .slice(0, MOST_WORDS)
        .map(({ word }) => word)
    }
  },
})
