/** `index`: the work tree, the history and the notes, first whatever answers at once, then the vectors that take their time. */

import type { IndexReport, Warning } from '../core/answers.js'
import { type ErrorCode, QuarryError } from '../core/errors.js'
import type { IndexRequest } from './api.js'
import type { History } from './history.js'
import { asWarning } from './part-failure.js'

type Index = (request: IndexRequest) => Promise<IndexReport>

export const indexAll = async (
  request: IndexRequest,
  { notes, ...rest }: Indexed & { readonly notes: { readonly index: Index } | null },
): Promise<IndexReport> => {
  const { stage = 'full' } = request
  const noted = notes && (await notes.index({ ...request, stage: 'first' }))
  const report = await indexCodeAndHistory(request, rest)
  if (notes === null || noted === null) return report
  return { ...report, notes: stage === 'first' ? noted : joined(noted, await notes.index(request)) }
}

interface Indexed {
  readonly code: Index
  readonly history: History | null
}

const indexCodeAndHistory = async (
  request: IndexRequest,
  { code, history }: Indexed,
): Promise<IndexReport> => {
  const { stage = 'full' } = request
  const first = { ...request, stage: 'first' } as const
  const text = await code(first)
  const past = history && (await orWarning(history, first))
  if (past && !('added' in past)) {
    const rest = stage === 'first' ? text : joined(text, await code(request))
    return { ...rest, warnings: [...rest.warnings, past] }
  }
  if (stage === 'first') return { ...text, ...(past && { history: past }) }
  const report = await code(request)
  const pastReport = past && (await history?.index(request))
  return { ...joined(text, report), ...(past && pastReport && { history: joined(past, pastReport) }) }
}

/** A directory without a repository has no history: that is no fault. A history that cannot be read costs the code nothing. */
const orWarning = async (
  history: History,
  request: IndexRequest,
): Promise<IndexReport | Warning | undefined> => {
  try {
    return await history.index(request)
  } catch (error) {
    if (!(error instanceof QuarryError && UNREADABLE.has(error.code))) throw error
    // Whoever says which commits to take in wants to hear that there are none.
    if (typeof request.history === 'object') throw error
    if (!history.isThere()) return undefined
    return asWarning(error)
  }
}

const UNREADABLE: ReadonlySet<ErrorCode> = new Set(['NOT_A_REPOSITORY', 'GIT_MISSING', 'GIT_FAILED'])

/** What the first run read and the second embedded. */
const joined = (first: IndexReport, second: IndexReport): IndexReport => ({
  ...first,
  embedded: first.embedded + second.embedded,
  pendingVectors: second.pendingVectors,
  warnings: [...first.warnings, ...second.warnings],
  seconds: first.seconds + second.seconds,
})
