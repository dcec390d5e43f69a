/** Finds the commits that took a file away, by deleting or by moving it: for files that are only in history. */

import { checkGitPath, checkId } from './git-path.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'

const DELETION_MILLISECONDS = 60_000

/**
 * Without the full history git would not look into a branch that made the file and took it away again; without renames a file
 * that was moved is gone from where it was.
 */
const DELETIONS = ['log', '--full-history', '--diff-filter=D', '--no-renames', '--format=%H']

/** The newest one that `rev`, a full commit id, comes after; null when there is none. Walks history until it is found. */
export const lastDeletion = async (
  repository: Repository,
  rev: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> => {
  const commit = checkId(rev, idPattern(repository.facts.objectFormat))
  const args = [...DELETIONS, '--max-count=1', commit, '--', checkGitPath(path)]
  return (await shasOf(repository, args, signal))[0] ?? null
}

/** The oldest one between two commits, both full ids. */
export const firstDeletion = async (
  repository: Repository,
  from: string,
  to: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> => {
  const isId = idPattern(repository.facts.objectFormat)
  const range = [checkId(to, isId), `^${checkId(from, isId)}`]
  const args = [...DELETIONS, '--ancestry-path', ...range, '--', checkGitPath(path)]
  return (await shasOf(repository, args, signal)).at(-1) ?? null
}

const shasOf = async (
  repository: Repository,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> => {
  const output = await repository.run(args, {
    timeoutMilliseconds: DELETION_MILLISECONDS,
    ...(signal ? { signal } : {}),
  })
  return output
    .toString('latin1')
    .split('\n')
    .filter(line => line !== '')
}

/** Whether `sha` is `rev` or came before it. */
export const isBefore = async (
  repository: Repository,
  sha: string,
  rev: string,
  signal?: AbortSignal,
): Promise<boolean> => {
  const isId = idPattern(repository.facts.objectFormat)
  const args = ['rev-list', '--max-count=1', checkId(sha, isId), `^${checkId(rev, isId)}`, '--']
  return (await repository.run(args, signal ? { signal } : {})).length === 0
}
