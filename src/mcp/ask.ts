/** How the tools that search ask: bring the index up to date, then the question with the wordings that the agent adds. */

import type { Answer } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { HistoryStatus, Quarry, SearchRequest } from '../index.js'
import type { Kind } from './root.js'
import type { Call } from './tools/tool.js'

export interface Asked {
  /** What to look at for changes. Where one of them fails, or there is no repository, the others answer. */
  readonly kinds: readonly Kind[]
  readonly questions: readonly string[]
  readonly request: SearchRequest & { readonly limit: number }
  readonly ask: (quarry: Quarry, question: string, request: SearchRequest) => Promise<Answer>
}

export const askAll = async (asked: Asked, call: Call): Promise<Answer> => {
  const { questions, request, ask } = asked
  const quarry = await call.root.quarry()
  const { kinds, warnings } = await freshenAll(asked.kinds, call)
  const [question = '', ...queries] = questions
  const filter = request.filter?.kinds ? { ...request.filter, kinds } : (request.filter ?? {})
  const full: SearchRequest = { ...request, queries, filter, refresh: 'never', signal: call.signal }
  const answer = await ask(quarry, question, full).catch(error => orStillIndexing(error, warnings))
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
  const warnings = await Promise.all(
    outcomes.map(async outcome => {
      if (outcome.status === 'fulfilled') return outcome.value
      const { reason } = outcome
      if (!(reason instanceof QuarryError) || reason.code === 'CANCELLED' || there.length === 0) throw reason
      const { code, message, hint } = reason
      const isAbsent = code === 'NOT_A_REPOSITORY' && (await historyOf(call)) === null
      return isAbsent ? [] : [{ code, message, ...(hint !== undefined && { hint }) }]
    }),
  )
  return { kinds: there, warnings: warnings.flat() }
}

const orStillIndexing = (error: unknown, warnings: Answer['warnings']): never => {
  const isEarly = error instanceof QuarryError && error.code === 'INDEX_MISSING'
  if (!isEarly || !warnings.some(({ code }) => code === 'INDEXING')) throw error
  throw new QuarryError('INDEX_LOCKED', 'The first index is still being made', {
    hint: 'ask again in a minute; index_status says how far it is',
  })
}

const distinct = (warnings: Answer['warnings']): Answer['warnings'] => [
  ...new Map(warnings.map(warning => [`${warning.code} ${warning.message}`, warning])).values(),
]
