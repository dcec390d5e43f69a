/** `recall`: what was noted, and who said what in the conversations that were taken in. */

import { z } from 'zod'
import { answerResult } from '../answer.js'
import { askAll } from '../ask.js'
import { openPage } from '../cursor.js'
import { count, filterOf, paging, question, size, variations } from './parameters.js'
import { tool } from './tool.js'

export const recall = tool({
  name: 'recall',
  title: 'Recall notes',
  description:
    "Finds the user's notes and past conversations about this project: decisions, preferences, facts. " +
    'Ask before guessing what was agreed.',
  parameters: z.strictObject({
    query: question('a question'),
    queries: variations,
    k: count(50, 10),
    session: z.string().optional(),
    tag: z.string().optional(),
    speaker: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
    max_tokens: size.max_tokens,
    ...paging,
  }),
  result: { hits: 'array', truncated: 'boolean', warnings: 'array', index: 'object' },
  async run(given, call) {
    const page = openPage('recall', given)
    const { session, tag, speaker } = given
    const narrow = {
      ...(session !== undefined && { session }),
      ...(tag !== undefined && { tags: [tag] }),
      ...(speaker !== undefined && { speaker }),
    }
    const answer = await askAll(
      {
        kinds: ['note'],
        questions: [given.query, ...(given.queries ?? [])],
        request: { limit: given.k, filter: filterOf(given) },
        ask: (quarry, asked, request) => quarry.recall(asked, { ...request, ...narrow }),
      },
      call,
    )
    return answerResult(answer, { ...given, detail: 'normal' }, undefined, page)
  },
})
