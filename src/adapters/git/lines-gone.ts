/** Looks forward from an old revision: which later commit removed or changed each of its lines. */

import { type LineRange, parseIncremental, rangeText } from './blame.js'
import { checkGitPath, checkId } from './git-path.js'
import { isBefore } from './last-deletion.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'

export interface GoneRequest {
  /** Full commit ids: where the lines stand, and how far to look. */
  readonly from: string
  readonly to: string
  readonly path: string
  readonly ranges?: readonly LineRange[]
  readonly ignoreWhitespace?: boolean
  readonly timeoutMilliseconds?: number
  readonly signal?: AbortSignal
}

export interface GoneLines {
  /** The first commit without these lines. */
  readonly sha: string
  /** What the file is called there, or was called before it was deleted. */
  readonly path: string
  /** The same lines in the last version that has them, and that version. */
  readonly last: { readonly sha: string; readonly path: string; readonly line: number }
  /** In the revision that was looked at. */
  readonly line: number
  readonly count: number
}

/** The whole way from `from` to `to` is walked: a long one is not worth more of a reader's time. */
const GONE_MILLISECONDS = 10_000

/** Sorted by line; lines that are still there are left out. Null where `to` does not come after `from`. */
export const linesGone = async (
  repository: Repository,
  request: GoneRequest,
): Promise<GoneLines[] | null> => {
  const { ranges = [], timeoutMilliseconds = GONE_MILLISECONDS, signal } = request
  const isId = idPattern(repository.facts.objectFormat)
  const [from, to, path] = [
    checkId(request.from, isId),
    checkId(request.to, isId),
    checkGitPath(request.path),
  ]
  if (from === to) return []
  if (!(await isBefore(repository, from, to, signal))) return null
  const options = { timeoutMilliseconds, ...(signal ? { signal } : {}) }
  const args = [
    ...['blame', '--reverse', '--incremental', '-M', '-C'],
    ...(request.ignoreWhitespace ? ['-w'] : []),
    ...ranges.map(range => `-L${rangeText(range)}`),
    ...[`${from}..${to}`, '--', path],
  ]
  return parseIncremental((await repository.run(args, options)).toString('utf8'))
    .flatMap(({ sha, originalPath, originalLine, finalLine, count, previous }) =>
      previous === undefined
        ? []
        : [
            {
              ...{ sha: previous.sha, path: previous.path, line: finalLine, count },
              last: { sha, path: originalPath, line: originalLine },
            },
          ],
    )
    .sort((one, other) => one.line - other.line)
}
