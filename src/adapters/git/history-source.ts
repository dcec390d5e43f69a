/**
 * Git history as a source: one document for each commit, whose text is its diff. A commit never changes, so its id is its
 * path and, with that of the rules by which files are left out, its stamp and its content hash; what changes is which commits
 * can be reached.
 */

import { createHash } from 'node:crypto'
import type { KnownDocument, Source, SourceChanges } from '../../core/ports.js'
import type { Skipped, SourceDocument } from '../../core/types.js'
import { skipPathByName } from '../../text/skip-by-name.js'
import { commitDocument } from './commit-document.js'
import { checkId } from './git-path.js'
import { listCommits } from './list-commits.js'
import { readCommits } from './read-commits.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'
import type { JudgePath } from './split-commits.js'
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
  readonly rules?: HistoryRules
}

/** Which files of a commit are left out. */
export interface HistoryRules {
  /** Other rules, other id: then every commit is read again. Empty for those that everyone has. */
  readonly id: string
  readonly judge: JudgePath
}

const COMMON_RULES: HistoryRules = { id: '', judge: skipPathByName }

export interface HistorySource extends Source {
  readonly kind: 'hunk'
  /** Stays the same while no chosen tip moves: then there is nothing to list. */
  stamp(): Promise<string>
}

const LARGEST_FILE_DIFF = 256 * 1024
const LARGEST_COMMIT_DIFF = 4 * 1024 * 1024

export const gitHistory = (repository: Repository, options: HistoryOptions = {}): HistorySource => {
  const { refs, since, maxCommits, below = repository.prefix, rules = COMMON_RULES } = options
  const { maxFileBytes = LARGEST_FILE_DIFF, maxCommitBytes = LARGEST_COMMIT_DIFF } = options

  const stampOf = (sha: string): string => (rules.id === '' ? sha : `${sha}+${rules.id}`)

  const stamp = async (): Promise<string> => {
    const tips = [...new Set((await chooseTips(repository, refs)).map(tip => tip.sha))].sort()
    const content = [tips, refs, since, maxCommits, below, repository.shallowCommits()]
    if (rules.id !== '') content.push(rules.id)
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
    const touched = [...chosen].filter(sha => known.get(sha)?.stamp !== stampOf(sha))
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
    const limits = { maxFileBytes, maxCommitBytes, judgePath: rules.judge, below }
    for await (const commit of readCommits(repository, shas, limits, signal)) {
      if ('reason' in commit) yield commit
      else {
        const document = commitDocument(commit)
        const stamp = stampOf(document.path)
        yield { ...document, stamp, contentHash: stamp }
      }
    }
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
