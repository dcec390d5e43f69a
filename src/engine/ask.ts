/** `ask`: code, history and notes in one ranking. Each kind is searched as always; then their chances of being right are compared. */

import type { Answer, IndexState } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { ChunkKind } from '../core/types.js'
import { balanceKinds } from '../ranking/balance-kinds.js'
import type { Quarry, SearchRequest } from './api.js'
import { askOnce } from './expanders.js'
import type { SharedSearch } from './search.js'

export interface AskParts {
  readonly limit: number
  readonly search: SharedSearch
  readonly find: SharedSearch
  readonly recall: SharedSearch
  readonly hasNotes: () => boolean
}

const KINDS: readonly ChunkKind[] = ['code', 'hunk', 'note']

export const asker =
  ({ limit, search, find, recall, hasNotes }: AskParts): Quarry['ask'] =>
  async (question, request = {}) => {
    const { kinds = KINDS, ...filter } = request.filter ?? {}
    const wanted: SearchRequest = { ...request, limit: request.limit ?? limit, filter }
    const share = askOnce()
    const code = kinds.includes('code') ? await search(question, wanted, share) : null
    const past = kinds.includes('hunk')
      ? await findIfThere(() => find(question, wanted, share), code === null)
      : null
    const noted =
      kinds.includes('note') && hasNotes()
        ? await recallIfSound(() => recall(question, wanted, share), code === null && past === null)
        : null
    const answers = [code, past, noted].filter(answer => answer !== null)
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
    )
    return {
      query: question,
      ...(understood.length > 0 && { understood }),
      ...(expansion && { expansion }),
      hits: hits.slice(0, wanted.limit),
      warnings: distinct(answers.flatMap(({ warnings }) => warnings)),
      index: answers.map(({ index }) => index).reduce(together),
    }
  }

/** Where there is no repository the code answers alone; asked for history only, that is worth an error. */
const findIfThere = async (find: () => Promise<Answer>, isAlone: boolean): Promise<Answer | null> => {
  try {
    return await find()
  } catch (error) {
    if (isAlone || !(error instanceof QuarryError) || error.code !== 'NOT_A_REPOSITORY') throw error
    return null
  }
}

/** What is wrong with the notes costs the others nothing. */
const recallIfSound = async (recall: () => Promise<Answer>, isAlone: boolean): Promise<Answer> => {
  try {
    return await recall()
  } catch (error) {
    if (isAlone || !(error instanceof QuarryError) || error.code === 'CANCELLED') throw error
    const { code, message, hint } = error
    const warning = { code, message, ...(hint !== undefined && { hint }) }
    return { query: '', hits: [], warnings: [warning], index: NOTHING }
  }
}

const NOTHING: IndexState = { documents: 0, chunks: 0, vectors: {}, indexedAt: new Date(0).toISOString() }

const distinct = (warnings: Answer['warnings']): Answer['warnings'] => [
  ...new Map(warnings.map(warning => [`${warning.code} ${warning.message}`, warning])).values(),
]

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
