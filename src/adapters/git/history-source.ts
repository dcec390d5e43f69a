/**
 * Git history as a source: one document for each commit, whose text is its diff. A commit never changes, so its id is its
 * path, its stamp and its content hash; what changes is which commits can be reached.
 */

import { createHash } from 'node:crypto'
import type { KnownDocument, Source, SourceChanges } from '../../core/ports.js'
import type { Skipped, SkipReason, SourceDocument } from '../../core/types.js'
import { skipPathByName } from '../../text/skip-by-name.js'
import { commitDocument } from './commit-document.js'
import { checkId } from './git-path.js'
import { listCommits } from './list-commits.js'
import { readCommits } from './read-commits.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'
import { chooseTips, peelTips, type Tip } from './tips.js'

/** Which commits are taken in. Plain data, so that a run can remember what an earlier one was told. */
export interface HistoryScope {
  /** Branches, tags, remote branches, ids, or patterns with `*`; HEAD and every local branch unless any are named. */
  readonly refs?: readonly string[]
  /** Only commits made at this time or later, in milliseconds since 1970. */
  readonly since?: number
  /** Only so many, the newest. */
  readonly maxCommits?: number
}

export interface HistoryOptions extends HistoryScope {
  /** Only commits that change something in this directory, with paths from there on; the repository's `prefix` unless told. */
  readonly below?: string
  readonly maxFileBytes?: number
  readonly maxCommitBytes?: number
  /** Leaves files out for their names; the rules of the work tree unless told. */
  readonly skipPath?: (path: string) => { readonly reason: SkipReason; readonly detail?: string } | undefined
}

export interface HistorySource extends Source {
  readonly kind: 'hunk'
  /** Stays the same while no chosen tip moves: then there is nothing to list. */
  stamp(): Promise<string>
}

const LARGEST_FILE_DIFF = 256 * 1024
const LARGEST_COMMIT_DIFF = 4 * 1024 * 1024

export const gitHistory = (repository: Repository, options: HistoryOptions = {}): HistorySource => {
  const { refs, since, maxCommits, below = repository.prefix, skipPath = skipPathByName } = options
  const { maxFileBytes = LARGEST_FILE_DIFF, maxCommitBytes = LARGEST_COMMIT_DIFF } = options

  const stamp = async (): Promise<string> => {
    const tips = [...new Set((await chooseTips(repository, refs)).map(tip => tip.sha))].sort()
    const content = [tips, refs, since, maxCommits, below, repository.shallowCommits()]
    return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)
  }

  const changes = async (
    known: ReadonlyMap<string, KnownDocument>,
    signal?: AbortSignal,
  ): Promise<SourceChanges> => {
    const { commits: tips, missing } = await peelTips(repository, await chooseTips(repository, refs), signal)
    const { commits, broken } = await listCommits(repository, tips, below, signal)
    const recent = since === undefined ? commits : commits.filter(commit => commit.committed >= since)
    const chosen = new Set(recent.slice(0, maxCommits).map(commit => commit.sha))
    const touched = [...chosen].filter(sha => !known.has(sha))
    return {
      touched,
      gone: [...known.keys()].filter(sha => !chosen.has(sha)).sort(),
      unchanged: chosen.size - touched.length,
      skipped: [...missing.map(missingTip), ...broken.map(missingParent)],
    }
  }

  async function* read(
    shas: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<SourceDocument | Skipped> {
    const isId = idPattern(repository.facts.objectFormat)
    for (const sha of shas) checkId(sha, isId)
    const limits = { maxFileBytes, maxCommitBytes, skipPath, below }
    for await (const commit of readCommits(repository, shas, limits, signal))
      yield 'reason' in commit ? commit : commitDocument(commit)
  }

  return { kind: 'hunk', stamp, changes, read }
}

const missingTip = ({ name, sha }: Tip): Skipped => ({
  path: sha,
  reason: 'missing-object',
  detail: `${name} points to it, and it is not there`,
})

const missingParent = (sha: string): Skipped => ({
  path: sha,
  reason: 'missing-object',
  detail: 'its parent is not there, nor what came before',
})
