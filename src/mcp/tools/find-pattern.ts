/** `find_pattern`: how was it done before. */

import { z } from 'zod'
import { answerResult } from '../answer.js'
import { askAll, historyOf } from '../ask.js'
import { openPage } from '../cursor.js'
import { count, filterOf, narrowing, paging, question, size, variations, when } from './parameters.js'
import { tool } from './tool.js'

export const findPattern = tool({
  name: 'find_pattern',
  title: 'Search git history',
  description:
    'Finds past commits by meaning: how something was done, fixed or decided before, with the diff and where its names are now. ' +
    'Use it before writing what may have been done already, and for "when/why did X change". ' +
    "For an exact string use git log -S; for today's code semantic_search.",
  parameters: z.strictObject({
    query: question('a question, or the text of an issue'),
    queries: variations,
    k: count(20, 5),
    ...narrowing,
    since: when.describe('30d, 2024-05-01, "last month"'),
    until: when,
    author: z.string().min(1).max(200).optional(),
    no_rerank: z.boolean().default(false),
    ...size,
    ...paging,
  }),
  result: { hits: 'array', truncated: 'boolean', warnings: 'array', index: 'object' },
  async run(given, call) {
    const page = openPage('find_pattern', given)
    const answer = await askAll(
      {
        kinds: ['hunk'],
        questions: [given.query, ...(given.queries ?? [])],
        request: {
          limit: given.k,
          filter: filterOf(given),
          explain: given.detail === 'full',
          rerank: !given.no_rerank,
          exactSymbols: true,
        },
        ask: (quarry, asked, request) => quarry.find(asked, request),
      },
      call,
    )
    return answerResult(answer, given, await historyOf(call), page)
  },
})
