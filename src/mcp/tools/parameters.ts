/** Parameters that several tools share, and what they mean to the engine. Short words: an agent pays for each of them. */

import { z } from 'zod'
import { QuarryError } from '../../core/errors.js'
import type { ChunkFilter } from '../../core/questions.js'
import { languagesNamed } from '../../text/language-names.js'
import { parseMoment } from '../../text/moments.js'
import { HARD_CAP_TOKENS, LEAST_TOKENS, USUAL_TOKENS } from '../budget.js'

const LONGEST_QUESTION = 32_768

export const question = (description: string) => z.string().min(1).max(LONGEST_QUESTION).describe(description)

export const variations = z
  .array(z.string().min(1).max(LONGEST_QUESTION))
  .max(8)
  .optional()
  .describe('other wordings of it, fused in')

export const count = (most: number, usual: number) => z.int().min(1).max(most).default(usual)

export const line = z.int().min(1).max(1_000_000_000)

const name = z.string().min(1).max(1_000)
export const when = z.string().min(1).max(100).optional()

export const narrowing = {
  language: name.optional().describe('such as ts or "go,rust"'),
  path: name.optional().describe('glob: src/** or !test/**'),
}

export const size = {
  detail: z.enum(['compact', 'normal', 'full']).default('normal'),
  max_tokens: z.int().min(LEAST_TOKENS).max(HARD_CAP_TOKENS).default(USUAL_TOKENS),
}

/** Of tools whose answers can be gone on with; an answer that is cut says what it is for. */
export const paging = { cursor: z.string().optional() }

export interface Narrowing {
  readonly language?: string | undefined
  readonly path?: string | undefined
  readonly author?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export const filterOf = ({ language, path, author, since, until }: Narrowing): ChunkFilter => {
  const from = momentOf('since', since)
  const to = momentOf('until', until)
  if (from !== undefined && to !== undefined && from > to)
    throw new QuarryError('BAD_INPUT', 'since is later than until', { hint: 'exchange the two' })
  return {
    ...(language !== undefined && { languages: languagesIn(language) }),
    ...(path !== undefined && { paths: [path] }),
    ...(author !== undefined && { author }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
  }
}

const languagesIn = (text: string): readonly string[] => {
  const words = text
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '')
  return [...new Set(words.flatMap(languagesNamed))]
}

export const momentOf = (
  edge: 'since' | 'until',
  text: string | undefined,
  name: string = edge,
): number | undefined => {
  if (text === undefined) return undefined
  const time = parseMoment(text, edge, Date.now())
  if (time !== null) return time
  throw new QuarryError('BAD_INPUT', `${name}: ${JSON.stringify(text)} is not a time`, {
    hint: 'write 30d, 6mo, 2024-05-01, "last month" or an ISO time',
  })
}
