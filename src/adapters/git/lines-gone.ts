/** Looks forward from an old revision: which later commit removed or changed each of its lines. */

import { type BlamedLines, type LineRange, parseIncremental, rangeText } from './blame.js'
import { checkGitPath, checkId } from './git-path.js'
import { firstDeletion, isBefore } from './last-deletion.js'
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
  readonly committed: number
  /** Where they stood in the version before it. */
  readonly lastPath: string
  readonly lastLine: number
  /** Where they stand in the revision that was looked at. */
  readonly line: number
  readonly count: number
}

/** Every commit from `from` to `to` is walked: a long way is not worth more of a reader's time. */
const GONE_MILLISECONDS = 10_000

/** Sorted by line; lines that are still there are left out. Null where `to` does not come after `from`. */
export const linesGone = async (
  repository: Repository,
  request: GoneRequest,
): Promise<GoneLines[] | null> => {
  const { ranges = [], timeoutMilliseconds = GONE_MILLISECONDS, signal } = request
  const isId = idPattern(repository.facts.objectFormat)
  const [from, to] = [checkId(request.from, isId), checkId(request.to, isId)]
  const path = checkGitPath(request.path)
  if (from === to) return []
  if (!(await isBefore(repository, from, to, signal))) return null
  const options = { timeoutMilliseconds, ...(signal ? { signal } : {}) }
  const args = [
    ...['blame', '--reverse', '--incremental', '-M', '-C'],
    ...(request.ignoreWhitespace ? ['-w'] : []),
    ...ranges.map(range => `-L${rangeText(range)}`),
    ...[`${from}..${to}`, '--', path],
  ]
  const survived = parseIncremental((await repository.run(args, options)).toString('utf8'))
  const removers = await removersOf(repository, survived, to, signal)
  const times = await timesOf(repository, [...new Set(removers.values())], signal)
  return survived
    .flatMap(({ sha, originalPath, originalLine, finalLine, count, previous }) => {
      const remover = previous?.sha ?? removers.get(`${sha} ${originalPath}`)
      if (remover === undefined) return []
      const committed = times.get(remover) ?? 0
      return [
        { sha: remover, committed, lastPath: originalPath, lastLine: originalLine, line: finalLine, count },
      ]
    })
    .sort((one, other) => one.line - other.line)
}

/** Git names the next version; where there is none the file itself was taken away. */
const removersOf = async (
  repository: Repository,
  survived: readonly BlamedLines[],
  to: string,
  signal?: AbortSignal,
): Promise<Map<string, string>> => {
  const removers = new Map<string, string>()
  for (const { sha, originalPath, previous } of survived) {
    const key = `${sha} ${originalPath}`
    if (removers.has(key) || (sha === to && previous === undefined)) continue
    const remover = previous?.sha ?? (await firstDeletion(repository, sha, to, originalPath, signal))
    if (remover !== null) removers.set(key, remover)
  }
  return removers
}

const timesOf = async (
  repository: Repository,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, number>> => {
  if (shas.length === 0) return new Map()
  const input = `${shas.join('\n')}\n`
  const args = ['rev-list', '--no-walk', '--timestamp', '--stdin']
  const output = await repository.run(args, { input, ...(signal ? { signal } : {}) })
  return new Map(
    output
      .toString('latin1')
      .trim()
      .split('\n')
      .map(line => line.split(' '))
      .map(([seconds, sha]) => [sha!, Number(seconds) * 1000]),
  )
}
