/** Finds the commit that took a file away, by deleting or by moving it: for files that are only in history. */

import { checkGitPath, checkId } from './git-path.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'

const DELETION_MILLISECONDS = 60_000

/** The newest one that `rev`, a full commit id, comes after; null when there is none. Walks history until it is found. */
export const lastDeletion = async (
  repository: Repository,
  rev: string,
  path: string,
  signal?: AbortSignal,
): Promise<string | null> => {
  const commit = checkId(rev, idPattern(repository.facts.objectFormat))
  // Without the full history git would not look into a branch that made the file and took it away again.
  const args = ['log', '--max-count=1', '--full-history', '--diff-filter=D', '--no-renames', '--format=%H']
  const output = await repository.run([...args, commit, '--', checkGitPath(path)], {
    timeoutMilliseconds: DELETION_MILLISECONDS,
    ...(signal ? { signal } : {}),
  })
  return output.toString('latin1').trim() || null
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
