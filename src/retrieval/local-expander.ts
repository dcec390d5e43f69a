/**
 * The expander that needs no model and no network: the first results of the question say which words and identifiers belong to
 * it in this index.
 */

import type { Expander, IndexReader } from '../core/ports.js'
import { commonWords } from '../ranking/feedback-words.js'

/** Few, and the best: results further down are about something else. */
const RESULTS_READ = 8
const MOST_WORDS = 8

export const localExpander = (index: IndexReader): Expander => ({
  id: 'local',
  async expand({ question, firstResults }) {
    const common = commonWords((await firstResults()).slice(0, RESULTS_READ), question)
    const { total, counts } = await index.frequencies(common.map(({ token }) => token))
    // What many first results say and few other chunks.
    const words = common
      .map(({ word, token, share }) => ({
        word,
        worth: share * Math.log((total + 1) / ((counts.get(token) ?? 0) + 0.5)),
      }))
      .sort((a, b) => b.worth - a.worth)
      .slice(0, MOST_WORDS)
    const text = words.map(({ word }) => word).join(' ')
    return {
      variations: text === '' ? [] : [{ strategy: 'feedback', text }],
      cached: false,
      tokens: null,
    }
  },
})
