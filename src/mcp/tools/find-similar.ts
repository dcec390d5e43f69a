/** `find_similar`: code like the code at a place. */

import { z } from 'zod'
import { QuarryError } from '../../core/errors.js'
import type { Place } from '../../index.js'
import { answerResult } from '../answer.js'
import { askAll } from '../ask.js'
import { belowRoot } from '../below-root.js'
import { count, line, size } from './parameters.js'
import { tool } from './tool.js'

export const findSimilar = tool({
  name: 'find_similar',
  title: 'Find similar code',
  description:
    'Finds code like the code at a place: duplicates, siblings, conventions to follow. ' +
    'Give path and line, or the id of a code hit as chunk.',
  parameters: z.strictObject({
    path: z.string().min(1).max(4096).optional(),
    line: line.optional(),
    chunk: z.string().min(1).max(200).optional(),
    limit: count(100, 10),
    ...size,
  }),
  result: { hits: 'array', truncated: 'boolean', warnings: 'array', index: 'object' },
  async run(given, call) {
    const { root } = await call.root.quarry()
    const place = await placeOf(given, root)
    const answer = await askAll(
      {
        kinds: ['code'],
        questions: ['similar'],
        request: { limit: given.limit },
        ask: (quarry, _, request) => quarry.similar(place, request),
      },
      call,
    )
    return answerResult(answer, given)
  },
})

const placeOf = async (
  given: { path?: string | undefined; line?: number | undefined; chunk?: string | undefined },
  root: string,
): Promise<Place> => {
  const { path, line: at, chunk } = given
  if (chunk !== undefined && path === undefined && at === undefined) return { id: chunk }
  if (chunk === undefined && path !== undefined && at !== undefined)
    return { path: await belowRoot(path, root), line: at }
  throw new QuarryError('BAD_INPUT', 'A place is path and line together, or a chunk alone', {
    hint: '{"path": "src/http/retry.ts", "line": 42} or {"chunk": "id of a hit"}',
  })
}
