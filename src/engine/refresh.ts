/** Before an answer: index what was never indexed, take in what changed if that is quick, else say that it is stale. */

import { QuarryError } from '../core/errors.js'
import type { IndexReader, KnownDocument, Source } from '../core/ports.js'
import type { Warning } from '../core/types.js'
import type { IndexRequest, SearchRequest } from './api.js'

export interface RefreshParts {
  readonly source: Source
  readonly openReader: () => Promise<IndexReader>
  readonly index: (request: IndexRequest) => Promise<unknown>
}

/** More changed files than this take longer than a reader wants to wait for an answer. */
const QUICK_CHANGES = 100

export const refresh = async (parts: RefreshParts, request: SearchRequest): Promise<readonly Warning[]> => {
  const run = () =>
    parts.index({
      stage: 'first',
      ...(request.onProgress && { onProgress: request.onProgress }),
      ...(request.signal && { signal: request.signal }),
    })
  let index: IndexReader
  try {
    index = await parts.openReader()
  } catch (error) {
    if (!(error instanceof QuarryError && error.code === 'INDEX_MISSING')) throw error
    await run()
    return []
  }
  const { touched, gone } = await parts.source.changes(await knownTo(index), request.signal)
  const count = touched.length + gone.length
  const unfinished = (await index.state()).indexedAt === null
  if (count === 0 && !unfinished) return []
  if (count <= QUICK_CHANGES || unfinished) return tryToRun(run)
  return [{ code: 'STALE', message: `${count} files changed since the index was made`, hint: 'quarry index' }]
}

/** Another indexer at work is no reason not to answer. */
const tryToRun = async (run: () => Promise<unknown>): Promise<readonly Warning[]> => {
  try {
    await run()
    return []
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error
    const code = error.code === 'INDEX_LOCKED' ? 'INDEXING' : 'STALE'
    return [{ code, message: error.message, hint: error.hint ?? 'quarry status' }]
  }
}

/** What the index knows of every file: those it holds, and those it read and left out. */
export const knownTo = async (index: IndexReader): Promise<Map<string, KnownDocument>> => {
  const known = await index.known('code')
  for (const { path, stamp } of await index.skipped()) {
    if (stamp !== undefined && !known.has(path)) known.set(path, { stamp, contentHash: '' })
  }
  return known
}
