/** How far the index of history is behind its repository, and what to do when that cannot be told. */

import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { IndexReader, Source } from '../core/ports.js'
import { orFailure } from './part-failure.js'
import type { Shelf } from './shelf.js'

export interface Behind {
  readonly missing: number
  /** Of which the last run could not read something, and which the next one tries again. */
  readonly again: number
  /** In the index, but cut by rules that no longer hold. */
  readonly outdated: number
  readonly gone: number
  readonly unfinished: boolean
}

/** An unchanged repository is known by its stamp; only another one is counted. */
export const commitsBehind = async (reader: IndexReader, source: Source): Promise<Behind> => {
  const unfinished = (await reader.state()).indexedAt === null
  if ((await reader.sourceStamp()) === (await source.stamp!()))
    return { missing: 0, again: 0, outdated: 0, gone: 0, unfinished }
  const known = await reader.known('hunk')
  const { touched, gone } = await source.changes(known)
  const leftOut = new Set((await reader.skipped()).map(({ path }) => path))
  const again = touched.filter(sha => leftOut.has(sha)).length
  const outdated = touched.filter(sha => known.has(sha) && !leftOut.has(sha)).length
  return { missing: touched.length - again - outdated, again, outdated, gone: gone.length, unfinished }
}

/** Makes what is not there yet; else looks whether there is something to do, and warns where that fails. */
export const makeOrLook = async (
  shelf: Pick<Shelf, 'openIfThere'>,
  make: () => Promise<unknown>,
  look: (reader: IndexReader) => Promise<readonly Warning[]>,
): Promise<readonly Warning[]> => {
  const reader = await shelf.openIfThere()
  if (reader !== null) return orWarn(reader, () => look(reader))
  await make()
  return []
}

/** Another indexer is at work: what the answer lacks until it is through is worth more than who it is. */
export const lackingStill = (error: unknown, count: number, noun: 'commit' | 'file'): unknown => {
  if (!(error instanceof QuarryError) || error.code !== 'INDEX_LOCKED' || count === 0) return error
  const { code, message, hint } = error
  const lacking = `${count} ${noun}${count === 1 ? ' is' : 's are'} not in the index yet: ${message}`
  return new QuarryError(code, lacking, { ...(hint !== undefined && { hint }), cause: error })
}

/** Neither another indexer at work nor a repository in disorder is a reason not to answer from what is there. */
const orWarn = async (
  reader: IndexReader,
  run: () => Promise<readonly Warning[]>,
): Promise<readonly Warning[]> => {
  const outcome = await orFailure(run)
  if (!(outcome instanceof QuarryError)) return outcome
  if (outcome.code === 'CANCELLED' || outcome.code === 'NOT_A_REPOSITORY') throw outcome
  if (outcome.code !== 'INDEX_LOCKED' && (await reader.state()).documents === 0) throw outcome
  const code = outcome.code === 'INDEX_LOCKED' ? 'INDEXING' : 'STALE'
  return [{ code, message: outcome.message, hint: outcome.hint ?? 'quarry status' }]
}
