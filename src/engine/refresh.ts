/** Before an answer: index what was never indexed, take in what changed if that is quick, else say that it is stale. */

import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { IndexReader, KnownDocument, Source, SourceLook } from '../core/ports.js'
import { withSkipped } from '../indexing/with-skipped.js'
import type { IndexRequest, SearchRequest } from './api.js'
import { lackingStill } from './history-behind.js'

/** What a run need not look up again, unless the index has changed since. */
export interface Looked {
  readonly look: SourceLook
  /** What `knownTo` says of the index. */
  readonly known: ReadonlyMap<string, KnownDocument>
  /** Of the index, before the look. */
  readonly generation: number
}

export interface RefreshParts {
  readonly source: Source
  readonly openReader: () => Promise<IndexReader>
  readonly index: (request: IndexRequest, looked?: Looked) => Promise<unknown>
  readonly now: () => number
  /** Where the tree is watched: as long as it is quiet, a look holds longer. */
  readonly stirs?: () => number | null
}

/** Looks at the work tree, unless it did so a moment ago: then what it found is said again. */
export type Refresh = (request: SearchRequest) => Promise<readonly Warning[]>

/** More changed files than this take longer than a reader wants to wait for an answer. */
const QUICK_CHANGES = 100

/** Of questions that come in a row the first one looks for all: a walk of 35,000 files takes longer than an answer. */
const FRESH_MILLISECONDS = 1_000

/** Where the tree is watched and quiet. Not for ever: what another machine writes to a shared disk stirs nothing here. */
const QUIET_MILLISECONDS = 60_000

interface Look {
  /** How often the tree had stirred before it. */
  readonly stirs: number | null
  readonly endedAt: number
  readonly indexedAt: string | null
  readonly warnings: readonly Warning[]
}

export const refresher = (parts: RefreshParts): Refresh => {
  let last: Look | undefined
  return async request => {
    if (last !== undefined && (await stillHolds(last, parts))) return last.warnings
    const stirs = parts.stirs?.() ?? null
    const warnings = await look(parts, request)
    const { indexedAt } = await (await parts.openReader()).state()
    last = { stirs, endedAt: parts.now(), indexedAt, warnings }
    return warnings
  }
}

/** Not for long, not when the clock was set back, and not when the index was made anew or thrown away since. */
const stillHolds = async (last: Look, { now, openReader, stirs }: RefreshParts): Promise<boolean> => {
  const age = now() - last.endedAt
  const isQuiet = last.stirs !== null && last.stirs === stirs?.() && last.warnings.length === 0
  if (age < 0 || age >= (isQuiet ? QUIET_MILLISECONDS : FRESH_MILLISECONDS)) return false
  try {
    return (await (await openReader()).state()).indexedAt === last.indexedAt
  } catch {
    return false
  }
}

const look = async (parts: RefreshParts, request: SearchRequest): Promise<readonly Warning[]> => {
  const run = (looked?: Looked) =>
    parts.index(
      {
        stage: 'first',
        ...(request.onProgress && { onProgress: request.onProgress }),
        ...(request.signal && { signal: request.signal }),
      },
      looked,
    )
  let index: IndexReader
  try {
    index = await parts.openReader()
  } catch (error) {
    if (!(error instanceof QuarryError && error.code === 'INDEX_MISSING')) throw error
    await run()
    return []
  }
  const { source } = parts
  const { indexedAt, documents } = await index.state()
  const unfinished = indexedAt === null
  const generation = await index.generation()
  const seen = await source.look?.(request.signal)
  if (seen && !unfinished && seen.stamp === (await index.sourceStamp())) return []
  const known = await knownTo(index)
  const { touched, gone } = seen?.changes(known) ?? (await source.changes(known, request.signal))
  const changed = touched.length > QUICK_CHANGES ? await countChanged(touched, known, source) : touched.length
  if (touched.length + gone.length === 0 && !unfinished) return []
  const count = changed + gone.length
  if (count <= QUICK_CHANGES || unfinished)
    return tryToRun(
      () =>
        run(seen && { look: seen, known, generation }).catch(error => {
          throw lackingStill(error, changed, 'file')
        }),
      documents > 0,
    )
  return [{ code: 'STALE', message: `${count} files changed since the index was made`, hint: 'quarry index' }]
}

/** Neither another indexer at work nor a full disk is a reason not to answer from what is there. */
const tryToRun = async (run: () => Promise<unknown>, canAnswer: boolean): Promise<readonly Warning[]> => {
  try {
    await run()
    return []
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error
    if (error.code === 'CANCELLED' || (error.code !== 'INDEX_LOCKED' && !canAnswer)) throw error
    const code = error.code === 'INDEX_LOCKED' ? 'INDEXING' : 'STALE'
    return [{ code, message: error.message, hint: error.hint ?? 'quarry status' }]
  }
}

/** A file touched since may hold the same bytes: a few are read to tell, many are taken at their stamps' word. */
export const countChanged = async (
  touched: readonly string[],
  known: ReadonlyMap<string, KnownDocument>,
  source: Source,
): Promise<number> => {
  if (touched.length > MOST_READ) return touched.length
  let changed = 0
  for await (const item of source.read(touched)) {
    const hash = 'text' in item ? item.contentHash : ''
    if (known.get(item.path)?.contentHash !== hash) changed++
  }
  return changed
}

/** As many as a fresh clone has that are too young at the first run for their stamps to be trusted. */
const MOST_READ = 2_000

export const knownTo = async (index: IndexReader): Promise<ReadonlyMap<string, KnownDocument>> =>
  withSkipped(await index.known('code'), await index.skipped())
