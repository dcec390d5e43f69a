/** History as the engine sees it: the repository, its shelf, and keeping the one up to date with the other. */

import { join } from 'node:path'
import { diffChunker } from '../adapters/chunkers/diff/index.js'
import type { HistoryScope } from '../adapters/git/history-source.js'
import { gitHistory } from '../adapters/git/history-source.js'
import { resolveRevision } from '../adapters/git/revision.js'
import { openRepository, type Repository } from '../adapters/git/shadow.js'
import { sqliteStore } from '../adapters/stores/sqlite/index.js'
import { QuarryError } from '../core/errors.js'
import type { IndexReader, Source } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { IndexReport, Warning } from '../core/types.js'
import type { HistoryStatus, IndexRequest, SearchRequest } from './api.js'
import { prepareElsewhere } from './prepare-elsewhere.js'
import { type Shelf, shelfOf } from './shelf.js'
import { type TakeInJob, type TakeInParts, takeIn } from './take-in.js'

export interface History {
  readonly shelf: Shelf
  /** `NOT_A_REPOSITORY` where there is none. */
  repository(): Promise<Repository>
  index(request: IndexRequest): Promise<IndexReport>
  /** Indexes what was never indexed, takes in a few new commits, else says how many are missing. */
  refresh(request: SearchRequest): Promise<readonly Warning[]>
  status(): Promise<HistoryStatus | null>
  /** When the commit of a branch or tag came to stand where it stands. */
  timeOf(revision: string): Promise<number>
}

export interface HistoryParts extends Omit<TakeInParts, 'shelf'> {
  readonly settings: Settings
  readonly directory: string
  readonly trust: boolean
}

/** More new commits than this take longer than a reader wants to wait for an answer. */
const QUICK_COMMITS = 2_000

export const openHistory = (parts: HistoryParts): History => {
  const { root, directory, settings, now, trust } = parts
  const shelf = shelfOf(sqliteStore({ directory: join(directory, 'history'), root, now }))
  const repository = () => openRepository(root, { shadowDirectory: join(directory, 'git'), trust })

  /** What an earlier run was told to take in holds until another run is told otherwise. */
  const sourceFor = async (asked: HistoryScope | undefined): Promise<Source> => {
    const stamp = await (await shelf.openIfThere())?.sourceStamp()
    const scope = asked ?? scopeIn(stamp ?? null) ?? scopeOf(settings)
    const source = gitHistory(await repository(), scope)
    return { ...source, stamp: async () => JSON.stringify({ scope, tips: await source.stamp!() }) }
  }

  const index: History['index'] = async request => {
    const source = await sourceFor(request.history === true ? undefined : request.history || undefined)
    // One vector for each commit by the quickest model: a second model is not worth the time it takes (docs/history.md).
    const worth: TakeInJob['worth'] = deep => deep.slice(0, 1)
    const elsewhere = prepareElsewhere()
    try {
      const job = { source, chunkerId: diffChunker().id, prepareDocument: elsewhere.prepareDocument, worth }
      return await takeIn({ ...parts, shelf }, job, request)
    } finally {
      await elsewhere.close()
    }
  }

  return {
    shelf,
    repository,
    index,
    async refresh(request) {
      const run = () => index({ ...request, stage: 'first' })
      const reader = await shelf.openIfThere()
      if (reader === null) {
        await run()
        return []
      }
      const source = await sourceFor(undefined)
      const behind = await commitsBehind(reader, source)
      if (behind.missing + behind.gone === 0 && !behind.unfinished) return []
      if (behind.missing <= QUICK_COMMITS || behind.unfinished) return tryToRun(run)
      const message = `${behind.missing} commits are not in the index yet`
      return [{ code: 'STALE', message, hint: 'quarry index' }]
    },
    async timeOf(revision) {
      const opened = await repository()
      const sha = await resolveRevision(opened, revision)
      const line = await opened.run(['log', '-1', '--no-walk', '--format=%ct', sha, '--'])
      return Number(line.toString().trim()) * 1000
    },
    async status() {
      let opened: Repository
      try {
        opened = await repository()
      } catch (error) {
        if (error instanceof QuarryError && error.code === 'NOT_A_REPOSITORY') return null
        throw error
      }
      const reader = await shelf.openIfThere()
      const { head, branch, limits } = opened.facts
      const behind = reader && (await commitsBehind(reader, await sourceFor(undefined)))
      return {
        ...{ head, branch, limits, index: (await reader?.state()) ?? null },
        ...{ missing: behind?.missing ?? null, gone: behind?.gone ?? null },
      }
    },
  }
}

const scopeOf = ({ history: { refs, maxCommits } }: Settings): HistoryScope => ({
  refs,
  ...(maxCommits > 0 && { maxCommits }),
})

const scopeIn = (stamp: string | null): HistoryScope | undefined => {
  try {
    return stamp === null ? undefined : (JSON.parse(stamp) as { scope?: HistoryScope }).scope
  } catch {
    return undefined
  }
}

/** An unchanged repository is known by its stamp; only another one is counted. */
const commitsBehind = async (
  reader: IndexReader,
  source: Source,
): Promise<{ readonly missing: number; readonly gone: number; readonly unfinished: boolean }> => {
  const unfinished = (await reader.state()).indexedAt === null
  if ((await reader.sourceStamp()) === (await source.stamp!())) return { missing: 0, gone: 0, unfinished }
  const { touched, gone } = await source.changes(await reader.known('hunk'))
  return { missing: touched.length, gone: gone.length, unfinished }
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
