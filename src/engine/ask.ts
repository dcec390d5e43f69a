/** `ask`: code, history and notes in one ranking. Each kind is searched as always; then their chances of being right are compared. */

import type { Answer, IndexState } from '../core/answers.js'
import { type ErrorCode, QuarryError } from '../core/errors.js'
import type { ChunkKind } from '../core/types.js'
import { balanceKinds } from '../ranking/balance-kinds.js'
import type { Quarry, SearchRequest } from './api.js'
import { askOnce } from './expanders.js'
import { asWarning, orFailure } from './part-failure.js'
import type { SharedSearch } from './search.js'

export interface AskParts {
  readonly limit: number
  readonly search: SharedSearch
  readonly find: SharedSearch
  readonly recall: SharedSearch
  readonly hasNotes: () => boolean
  /** Whether there is a repository, be it one that must not be read. */
  readonly hasHistory: () => boolean
}

const KINDS: readonly ChunkKind[] = ['code', 'hunk', 'note']

export const asker =
  ({ limit, search, find, recall, hasNotes, hasHistory }: AskParts): Quarry['ask'] =>
  async (question, request = {}) => {
    const { kinds = KINDS, ...filter } = request.filter ?? {}
    const wanted: SearchRequest = { ...request, limit: request.limit ?? limit, filter }
    const share = askOnce()
    const outcomes: (Answer | QuarryError)[] = []
    if (kinds.includes('code')) outcomes.push(await orFailed(() => search(question, wanted, share)))
    if (kinds.includes('hunk')) outcomes.push(await orFailed(() => find(question, wanted, share)))
    if (kinds.includes('note') && hasNotes())
      outcomes.push(await orFailed(() => recall(question, wanted, share)))
    const answers = outcomes.filter(outcome => 'hits' in outcome)
    const failures = outcomes.filter(outcome => outcome instanceof QuarryError)
    // Where there is no repository the others answer alone: nothing is wrong with that.
    const missing = failures.filter(({ code }) => code !== 'NOT_A_REPOSITORY' || hasHistory())
    const worst = missing[0] ?? failures[0]
    if (answers.length === 0 && worst) throw worst
    if (answers.length === 0)
      throw new QuarryError('BAD_INPUT', `There is nothing of the kind ${kinds.join(', ')} to ask`, {
        hint: kinds.includes('note')
          ? 'quarry remember "…", or: --kind code'
          : `--kind ${KINDS.join(' --kind ')}`,
      })
    const expansion = answers.find(answer => answer.expansion)?.expansion
    const understood = answers.flatMap(answer => answer.understood ?? [])
    const hits = balanceKinds(
      answers.map(answer => answer.hits),
      question,
      { wordless: kindsWithout(answers) },
    )
    return {
      query: question,
      ...(understood.length > 0 && { understood }),
      ...(expansion && { expansion }),
      hits: hits.slice(0, wanted.limit),
      warnings: distinct([...missing.map(asWarning), ...answers.flatMap(({ warnings }) => warnings)]),
      index: answers.map(({ index }) => index).reduce(together),
    }
  }

/** What is wrong with one kind costs the others nothing; what is wrong with the question is wrong for all. */
const orFailed = async (ask: () => Promise<Answer>): Promise<Answer | QuarryError> => {
  const outcome = await orFailure(ask)
  if (outcome instanceof QuarryError && OF_ALL.has(outcome.code)) throw outcome
  return outcome
}

const OF_ALL: ReadonlySet<ErrorCode> = new Set(['BAD_INPUT', 'BAD_CONFIG', 'CANCELLED', 'TIMEOUT'])

const distinct = (warnings: Answer['warnings']): Answer['warnings'] => [
  ...new Map(warnings.map(warning => [`${warning.code} ${warning.message}`, warning])).values(),
]

/** Those in which no word of the question occurs. */
const kindsWithout = (answers: readonly Answer[]): ReadonlySet<ChunkKind> =>
  new Set(
    answers
      .filter(({ warnings }) => warnings.some(({ code }) => code === 'NO_WORD_FOUND'))
      .flatMap(({ hits }) => hits.slice(0, 1).map(({ kind }) => kind)),
  )

/** As far as the one that is less far. */
const together = (one: IndexState, other: IndexState): IndexState => ({
  documents: one.documents + other.documents,
  chunks: one.chunks + other.chunks,
  vectors: Object.fromEntries(
    [...new Set([...Object.keys(one.vectors), ...Object.keys(other.vectors)])].map(id => [
      id,
      Math.min(one.vectors[id] ?? 1, other.vectors[id] ?? 1),
    ]),
  ),
  indexedAt: earlier(one.indexedAt, other.indexedAt),
})

const earlier = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? null : [one, other].sort()[0]!
