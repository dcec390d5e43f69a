/** How the tools that search ask: bring the index up to date once, then every wording of the question at the same time. */

import { QuarryError } from '../core/errors.js'
import type { Answer } from '../core/types.js'
import type { HistoryStatus, Quarry, SearchRequest } from '../index.js'
import { distinct, fuseAnswers } from './fuse-answers.js'
import type { Kind } from './root.js'
import type { Call } from './tools/tool.js'

export interface Asked {
  /** What to look at for changes. Where there is no repository, code answers alone. */
  readonly kinds: readonly Kind[]
  readonly questions: readonly string[]
  readonly request: SearchRequest & { readonly limit: number }
  readonly ask: (quarry: Quarry, question: string, request: SearchRequest) => Promise<Answer>
}

/** Of each wording as many hits are taken as a fused answer can need. */
const FUSED_DEPTH = 20

export const askAll = async (asked: Asked, call: Call): Promise<Answer> => {
  const { questions, request, ask } = asked
  const quarry = await call.root.quarry()
  const { kinds, warnings } = await freshenAll(asked.kinds, call)
  const limit = questions.length > 1 ? Math.max(FUSED_DEPTH, request.limit) : request.limit
  const filter = request.filter?.kinds ? { ...request.filter, kinds } : (request.filter ?? {})
  const each: SearchRequest = { ...request, filter, limit, refresh: 'never', signal: call.signal }
  const answers = await Promise.all(questions.map(question => ask(quarry, question, each))).catch(error =>
    orStillIndexing(error, warnings),
  )
  const { diversity, history } = quarry.settings
  const usual = kinds.includes('code') ? diversity.maxPerFile : history.maxPerFile
  const answer = fuseAnswers(answers, request.limit, request.maxPerFile ?? usual)
  return { ...answer, warnings: distinct([...warnings, ...answer.warnings]) }
}

/** Where HEAD is and how many commits the index lacks. What cannot be told is left out: the answer stands without. */
export const historyOf = async ({ root }: Call): Promise<HistoryStatus | null> => {
  try {
    return await (await root.quarry()).historyStatus()
  } catch {
    return null
  }
}

/** The kinds that there are, and what is to be known of them. */
const freshenAll = async (
  kinds: readonly Kind[],
  call: Call,
): Promise<{ readonly kinds: readonly Kind[]; readonly warnings: Answer['warnings'] }> => {
  const outcomes = await Promise.allSettled(kinds.map(kind => call.root.freshen(kind, call)))
  const there = kinds.filter((_, position) => outcomes[position]?.status === 'fulfilled')
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue
    const { reason } = outcome
    const isAbsent = reason instanceof QuarryError && reason.code === 'NOT_A_REPOSITORY'
    if (!isAbsent || there.length === 0) throw reason
  }
  return {
    kinds: there,
    warnings: outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? outcome.value : [])),
  }
}

const orStillIndexing = (error: unknown, warnings: Answer['warnings']): never => {
  const isEarly = error instanceof QuarryError && error.code === 'INDEX_MISSING'
  if (!isEarly || !warnings.some(({ code }) => code === 'INDEXING')) throw error
  throw new QuarryError('INDEX_LOCKED', 'The first index is still being made', {
    hint: 'ask again in a minute; index_status says how far it is',
  })
}
