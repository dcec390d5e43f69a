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
/** A merge says where lines got lost, not why: for so long the branches that it joined are looked into. */
const BRANCHES_MILLISECONDS = 3_000

/** Sorted by line; lines that are still there are left out. Null where `to` does not come after `from`. */
export const linesGone = async (
  repository: Repository,
  request: GoneRequest,
): Promise<GoneLines[] | null> => {
  const isId = idPattern(repository.facts.objectFormat)
  const [from, to] = [checkId(request.from, isId), checkId(request.to, isId)]
  const path = checkGitPath(request.path)
  const { signal, timeoutMilliseconds = GONE_MILLISECONDS } = request
  if (from === to) return []
  if (!(await isBefore(repository, from, to, signal))) return null
  const asked = { ...request, from, path, timeoutMilliseconds }
  const waiting = await lookForward(repository, asked, to, request.ranges ?? [])
  const settled: LostLines[] = []
  const deadline = performance.now() + BRANCHES_MILLISECONDS
  for (let lost = waiting.pop(); lost; lost = waiting.pop()) {
    const { remover, lastSha } = lost
    const other = remover.parents.find(parent => parent !== lastSha)
    if (other === undefined || performance.now() > deadline) {
      settled.push(lost)
      continue
    }
    // All that got lost in the same merge in the same way is looked for at once.
    const isSame = (some: LostLines) => some.remover.sha === remover.sha && some.lastSha === lastSha
    const together = [lost, ...waiting.filter(isSame)]
    waiting.splice(0, waiting.length, ...waiting.filter(some => !isSame(some)))
    const ranges = together.map(({ line, count }) => ({ start: line, end: line + count - 1 }))
    const isThere = await isBefore(repository, from, other, signal)
    const inside = isThere ? await lookForward(repository, asked, other, ranges) : []
    waiting.push(...inside)
    settled.push(...together.flatMap(some => without(some, inside)))
  }
  return settled.map(goneLines).sort((one, other) => one.line - other.line)
}

/** What the other branch still had, the merge itself took away. */
const without = (lost: LostLines, told: readonly LostLines[]): LostLines[] => {
  const { line, lastLine, count } = lost
  const isTold = (number: number) => told.some(some => some.line <= number && number < some.line + some.count)
  return Array.from({ length: count }, (_, at) => at)
    .filter(at => !isTold(line + at))
    .map(at => ({ ...lost, line: line + at, lastLine: lastLine + at, count: 1 }))
}

/** Lines with the last version that has them and the commit that follows it. */
interface LostLines extends Omit<GoneLines, 'sha' | 'committed'> {
  readonly lastSha: string
  readonly remover: CommitPlace
}

const goneLines = ({ remover, lastPath, lastLine, line, count }: LostLines): GoneLines => ({
  ...{ sha: remover.sha, committed: remover.committed, lastPath, lastLine, line, count },
})

const lookForward = async (
  repository: Repository,
  request: GoneRequest & { readonly timeoutMilliseconds: number },
  to: string,
  ranges: readonly LineRange[],
): Promise<LostLines[]> => {
  const { from, path, timeoutMilliseconds, signal } = request
  if (from === to) return []
  const args = [
    ...['blame', '--reverse', '--incremental', '-M', '-C'],
    ...(request.ignoreWhitespace ? ['-w'] : []),
    ...ranges.map(range => `-L${rangeText(range)}`),
    ...[`${from}..${to}`, '--', path],
  ]
  const output = await repository.run(args, { timeoutMilliseconds, ...(signal ? { signal } : {}) })
  const survived = parseIncremental(output.toString('utf8'))
  const removers = await removersOf(repository, survived, to, signal)
  const places = await placesOf(repository, [...new Set(removers.values())], signal)
  return survived.flatMap(({ sha, originalPath, originalLine, finalLine, count }) => {
    const remover = places.get(removers.get(`${sha} ${originalPath}`) ?? '')
    const last = { lastSha: sha, lastPath: originalPath, lastLine: originalLine }
    return remover === undefined ? [] : [{ ...last, remover, line: finalLine, count }]
  })
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

interface CommitPlace {
  readonly sha: string
  readonly committed: number
  readonly parents: readonly string[]
}

const placesOf = async (
  repository: Repository,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, CommitPlace>> => {
  if (shas.length === 0) return new Map()
  const args = ['rev-list', '--no-walk', '--timestamp', '--parents', '--stdin']
  const options = { input: `${shas.join('\n')}\n`, ...(signal ? { signal } : {}) }
  const lines = (await repository.run(args, options)).toString('latin1').trim().split('\n')
  return new Map(
    lines.map(line => {
      const [seconds, sha = '', ...parents] = line.split(' ')
      return [sha, { sha, committed: Number(seconds) * 1000, parents }]
    }),
  )
}
