/**
 * History as the engine sees it: the repository, its shelf, and keeping the one up to date with the other. What reads git and
 * cuts diffs loads when it is needed: a one-shot search of code never does.
 */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FoundRepository, findRepository, type Trust } from '../adapters/git/find-repository.js'
import type { HistoryScope } from '../adapters/git/history-source.js'
import type { Repository } from '../adapters/git/shadow.js'
import { forgetVouched, readVouched, rememberVouched } from '../adapters/git/vouched-places.js'
import { pathRules } from '../adapters/sources/work-tree/path-rules.js'
import { sqliteStore } from '../adapters/stores/sqlite/index.js'
import type { IndexReport, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Source } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { HistoryStatus, IndexRequest, SearchRequest } from './api.js'
import { commitsBehind, lackingStill, makeOrLook } from './history-behind.js'
import { givenScope, scopeOfSettings, stampOf } from './history-scope.js'
import { asWarning, orFailure } from './part-failure.js'
import { type Shelf, shelfOf } from './shelf.js'
import type { TakeInParts } from './take-in.js'
import { worthOfHistory } from './worth-models.js'

export interface History {
  readonly shelf: Shelf
  /** `NOT_A_REPOSITORY` where there is none. */
  repository(): Promise<Repository>
  /** Whether there is a repository, be it one that must not be read. */
  isThere(): boolean
  /** Where it lies, null where there is none. `NOT_A_REPOSITORY` where one must not be followed. */
  locate(): FoundRepository | null
  /** Throws `BAD_INPUT` where a scope names what is not there. */
  check(scope: HistoryScope): Promise<void>
  index(request: IndexRequest): Promise<IndexReport>
  /** Indexes what was never indexed, takes in a few new commits, else says how many are missing. */
  refresh(request: SearchRequest): Promise<readonly Warning[]>
  /** The index and the shadow directory. */
  purge(): Promise<void>
  /** That the user once said `--trust`. */
  forgetTrust(): void
  status(): Promise<HistoryStatus | null>
  /** Whether the index knows everything new that HEAD reaches: then what it does not hold did not happen lately. */
  holdsHead(): Promise<boolean>
  /** When the commit of a branch or tag came to stand where it stands. */
  timeOf(revision: string): Promise<number>
}

export interface HistoryParts extends Omit<TakeInParts, 'shelf'> {
  readonly settings: Settings
  readonly directory: string
  /** Said now; remembered for the runs that follow. */
  readonly trust: boolean
}

/** More new commits than this take longer than a reader wants to wait for an answer. */
const QUICK_COMMITS = 2_000

export const openHistory = (parts: HistoryParts): History => {
  const { root, directory, settings, now, trust } = parts
  const shelf = shelfOf(sqliteStore({ directory: join(directory, 'history'), root, now }))
  const shadowDirectory = join(directory, 'git')
  const trustFile = join(directory, 'trusted.json')
  const trusted = (): Trust => ({ trust, vouched: readVouched(trustFile) })
  const repository = async () => {
    const { openRepository } = await import('../adapters/git/shadow.js')
    const opened = await openRepository(root, { shadowDirectory, ...trusted() })
    if (trust) rememberVouched(trustFile, opened.places)
    return opened
  }

  /** What an earlier run was told to take in holds until another run is told otherwise. */
  const sourceFor = async (asked: HistoryScope | undefined): Promise<Source> => {
    const stamp = await (await shelf.openIfThere())?.sourceStamp()
    const given = asked ?? givenScope(stamp ?? null)
    const { gitHistory } = await import('../adapters/git/history-source.js')
    const { ignore, include } = settings.index
    const rules = pathRules({ root, ignore, include })
    const source = gitHistory(await repository(), { ...(given ?? scopeOfSettings(settings)), rules })
    return { ...source, stamp: async () => stampOf(given, await source.stamp()) }
  }

  const index: History['index'] = async request => {
    const source = await sourceFor(request.history === true ? undefined : request.history || undefined)
    const { diffChunker } = await import('../adapters/chunkers/diff/index.js')
    const { prepareElsewhere } = await import('./prepare-elsewhere.js')
    const elsewhere = prepareElsewhere()
    try {
      const { prepareDocument } = elsewhere
      const job = { source, chunkerId: diffChunker().id, prepareDocument, worth: worthOfHistory }
      const { takeIn } = await import('./take-in.js')
      return await takeIn({ ...parts, shelf }, job, request)
    } finally {
      await elsewhere.close()
    }
  }

  return {
    shelf,
    repository,
    index,
    isThere: () => isThere(root),
    locate: () => findRepository(root, trusted()),
    forgetTrust: () => forgetVouched(trustFile),
    async purge() {
      await shelf.purge()
      await rm(shadowDirectory, { recursive: true, force: true })
    },
    async check(scope) {
      const { gitHistory } = await import('../adapters/git/history-source.js')
      await gitHistory(await repository(), scope).stamp()
    },
    async refresh(request) {
      const run = () => index({ ...request, stage: 'first' })
      return makeOrLook(shelf, run, async reader => {
        const { missing, again, outdated, gone, unfinished } = await commitsBehind(
          reader,
          await sourceFor(undefined),
        )
        if (missing + outdated > QUICK_COMMITS && !unfinished) {
          const message =
            missing > QUICK_COMMITS
              ? `${missing} commits are not in the index yet`
              : `${outdated} commits are in the index as other ignore rules had them`
          return [{ code: 'STALE', message, hint: 'quarry index' }]
        }
        // Of a partial clone most objects will never come: looking for them is left to `quarry index`.
        const worthTrying = again > QUICK_COMMITS ? 0 : again
        if (missing + outdated + gone + worthTrying > 0 || unfinished)
          await run().catch(error => {
            throw lackingStill(error, missing, 'commit')
          })
        return []
      })
    },
    async holdsHead() {
      const stamp = (await (await shelf.openIfThere())?.sourceStamp()) ?? null
      if (stamp === null || (givenScope(stamp)?.refs ?? settings.history.refs).length > 0) return false
      return stamp === (await (await sourceFor(undefined)).stamp!())
    },
    async timeOf(revision) {
      const opened = await repository()
      const { resolveRevision } = await import('../adapters/git/revision.js')
      const sha = await resolveRevision(opened, revision)
      const line = await opened.run(['log', '-1', '--no-walk', '--format=%ct', sha, '--'])
      return Number(line.toString().trim()) * 1000
    },
    async status() {
      if (!isThere(root)) return null
      const indexed = await orFailure(async () => {
        const reader = await shelf.openIfThere()
        return reader && { reader, index: await reader.state(), skipped: await reader.skipped() }
      })
      const reader = indexed instanceof QuarryError ? undefined : indexed?.reader
      const known =
        indexed instanceof QuarryError || indexed === null
          ? NOTHING_INDEXED
          : { index: indexed.index, skipped: indexed.skipped }
      // What cannot be read now may still be in the index, and the other way round: the rest of the status stands.
      const opened = await orFailure(repository)
      const { head, branch, limits } = opened instanceof QuarryError ? NOTHING_READ : opened.facts
      const behind =
        reader && !(opened instanceof QuarryError)
          ? await orFailure(async () => commitsBehind(reader, await sourceFor(undefined)))
          : null
      const failures = [indexed, opened, behind].filter(outcome => outcome instanceof QuarryError)
      const counts =
        behind === null || behind instanceof QuarryError
          ? { missing: null, gone: null }
          : { missing: behind.missing + behind.outdated, gone: behind.gone }
      return {
        ...{ ...known, head, branch, ...counts },
        limits: [...limits, ...failures.map(({ message }) => message)],
        problem: failures[0] ? asWarning(failures[0]) : null,
      }
    },
  }
}

const NOTHING_INDEXED = { index: null, skipped: [] } as const
const NOTHING_READ = { head: null, branch: null, limits: [] } as const

/** One that points where it must not counts as there: then its own complaint is heard. */
const isThere = (root: string): boolean => {
  try {
    return findRepository(root, { trust: true }) !== null
  } catch {
    return true
  }
}
