/** `index`: the work tree and the history, first whatever answers at once, then the vectors that take their time. */

import { QuarryError } from '../core/errors.js'
import type { IndexReport } from '../core/types.js'
import type { IndexRequest } from './api.js'

type Index = (request: IndexRequest) => Promise<IndexReport>

export const indexAll = async (
  request: IndexRequest,
  { code, history }: { readonly code: Index; readonly history: Index | null },
): Promise<IndexReport> => {
  const { stage = 'full' } = request
  const first = { ...request, stage: 'first' } as const
  const both = history === null ? null : ifRepository(history)
  const text = await code(first)
  const past = await both?.(first)
  if (stage === 'first') return { ...text, ...(past && { history: past }) }
  const report = await code(request)
  const pastReport = past && (await both?.(request))
  return { ...joined(text, report), ...(past && pastReport && { history: joined(past, pastReport) }) }
}

/** A directory without a repository has no history: that is no fault. */
const ifRepository =
  (index: Index) =>
  async (request: IndexRequest): Promise<IndexReport | undefined> => {
    try {
      return await index(request)
    } catch (error) {
      if (error instanceof QuarryError && error.code === 'NOT_A_REPOSITORY') return undefined
      throw error
    }
  }

/** What the first run read and the second embedded. */
const joined = (first: IndexReport, second: IndexReport): IndexReport => ({
  ...first,
  embedded: first.embedded + second.embedded,
  pendingVectors: second.pendingVectors,
  warnings: [...first.warnings, ...second.warnings],
  seconds: first.seconds + second.seconds,
})
