/** `semantic_search`: where is it done, in the code as it is, or in code and history together. */

import { z } from 'zod'
import { answerResult } from '../answer.js'
import { askAll, historyOf } from '../ask.js'
import { openPage } from '../cursor.js'
import { count, filterOf, narrowing, paging, question, size, variations } from './parameters.js'
import { tool } from './tool.js'

export const semanticSearch = tool({
  name: 'semantic_search',
  title: 'Search code',
  description:
    'Finds code by meaning: questions in plain words, concepts, half-remembered names. ' +
    'Use it to find where something is done before opening files. ' +
    'For an exact string, or every occurrence of a name, grep is better.',
  parameters: z.strictObject({
    query: question('a question, a concept or a name'),
    queries: variations,
    limit: count(100, 10),
    kinds: z
      .array(z.enum(['code', 'hunk']))
      .min(1)
      .max(2)
      .optional()
      .describe('default code; hunk: git history'),
    ...narrowing,
    max_per_file: z.int().min(0).max(1000).optional().describe('default 3; 0: any'),
    ...size,
    ...paging,
  }),
  result: { hits: 'array', truncated: 'boolean', warnings: 'array', index: 'object' },
  async run(given, call) {
    const page = openPage('semantic_search', given)
    const kinds = [...new Set(given.kinds ?? (['code'] as const))]
    const isCodeOnly = kinds.length === 1 && kinds[0] === 'code'
    const filter = filterOf(given)
    const answer = await askAll(
      {
        kinds,
        questions: [given.query, ...(given.queries ?? [])],
        request: {
          limit: given.limit,
          filter: isCodeOnly ? filter : { ...filter, kinds },
          explain: given.detail === 'full',
          ...(given.max_per_file !== undefined && { maxPerFile: given.max_per_file }),
        },
        ask: (quarry, asked, request) =>
          isCodeOnly ? quarry.search(asked, request) : quarry.ask(asked, request),
      },
      call,
    )
    return answerResult(answer, given, isCodeOnly ? undefined : await historyOf(call), page)
  },
})
