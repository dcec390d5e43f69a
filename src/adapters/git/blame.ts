/** Which commit each line comes from, exactly, through renames, moves and copies; and which commits touched lines before. */

import { QuarryError } from '../../core/errors.js'
import { unquotePath } from '../../text/unquote-path.js'
import { blobAt } from './file-at.js'
import { checkGitPath, checkId } from './git-path.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'

export interface LineRange {
  /** Counted from 1, both ends included. */
  readonly start: number
  readonly end: number
}

export interface BlameRequest {
  /** A full commit id. */
  readonly rev: string
  /** From the top of the repository. */
  readonly path: string
  /** The whole file unless told. */
  readonly ranges?: readonly LineRange[]
  readonly ignoreWhitespace?: boolean
  /** Lines moved or copied from elsewhere in the same commit are followed too, unless told not to: it takes longer. */
  readonly followCopies?: boolean
  readonly timeoutMilliseconds?: number
  readonly signal?: AbortSignal
}

export interface BlamedLines {
  readonly sha: string
  /** Where the lines stood in that commit. */
  readonly originalPath: string
  readonly originalLine: number
  readonly finalLine: number
  readonly count: number
  /** When the commit came to stand where it stands, in milliseconds since 1970. */
  readonly committed: number
  /** History ends here, so the lines may be older: the first commit, or the last one of a shallow clone. */
  readonly boundary: boolean
  /** The version that the commit changed; absent where it made the file. */
  readonly previous?: { readonly sha: string; readonly path: string }
}

/** Larger files are data. */
const LARGEST_BLAMED = 16 << 20
const BLAME_MILLISECONDS = 60_000

/** Sorted by final line. Throws `BAD_PATH` where there is no such file, `BAD_INPUT` where it has no such lines. */
export const blame = async (repository: Repository, request: BlameRequest): Promise<BlamedLines[]> => {
  const { rev, ranges = [], followCopies = true, timeoutMilliseconds = BLAME_MILLISECONDS, signal } = request
  const commit = checkId(rev, idPattern(repository.facts.objectFormat))
  const path = checkGitPath(request.path)
  const abort = signal ? { signal } : {}
  const blob = await blobAt(repository, commit, path, abort)
  if (blob === null) throw noFile(path, commit)
  if (blob.size > LARGEST_BLAMED)
    throw new QuarryError('BAD_PATH', `${path} has ${blob.size} bytes: too many to explain`)
  const output = await repository
    .run(
      [
        'blame',
        '--incremental',
        ...(followCopies ? ['-M', '-C'] : []),
        ...(request.ignoreWhitespace ? ['-w'] : []),
        ...ranges.map(range => `-L${rangeText(range)}`),
        commit,
        '--',
        path,
      ],
      { timeoutMilliseconds, ...abort },
    )
    .catch(error => {
      throw asBadRange(error, path)
    })
  return parseIncremental(output.toString('utf8')).sort((one, other) => one.finalLine - other.finalLine)
}

export interface TouchingRequest extends LineRange {
  readonly rev: string
  readonly path: string
  /** At most so many commits. */
  readonly limit: number
  readonly timeoutMilliseconds?: number
  readonly signal?: AbortSignal
}

export interface TouchingCommits {
  /** Newest first. */
  readonly shas: readonly string[]
  /** False when time ran out before history did. */
  readonly complete: boolean
}

const TOUCHING_MILLISECONDS = 5000

/** The commits that changed these lines, or what they were before, newest first. */
export const touching = async (
  repository: Repository,
  request: TouchingRequest,
): Promise<TouchingCommits> => {
  const { rev, limit, timeoutMilliseconds = TOUCHING_MILLISECONDS, signal } = request
  const commit = checkId(rev, idPattern(repository.facts.objectFormat))
  const path = checkGitPath(request.path)
  const abort = signal ? { signal } : {}
  const blob = await blobAt(repository, commit, path, abort)
  if (blob === null) throw noFile(path, commit)
  const args = [
    'log',
    `-L${rangeText(request)}:${path}`,
    '--no-patch',
    '--no-merges',
    '--format=%H',
    `--max-count=${limit}`,
  ]
  const git = repository.stream([...args, commit], abort)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    git.stop()
  }, timeoutMilliseconds)
  let text = ''
  try {
    for await (const piece of git.output) text += piece.toString('latin1')
  } catch (error) {
    if (!isLate && !signal?.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
  const { code, complaint } = await git.ended
  if (code !== 0 && !isLate) throw asBadRange(new QuarryError('GIT_FAILED', `git log: ${complaint}`), path)
  // The last line may be half of one.
  return { shas: text.split('\n').slice(0, -1), complete: !isLate }
}

export const rangeText = ({ start, end }: LineRange): string => {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 1 || end < start)
    throw new QuarryError('BAD_INPUT', `${start}-${end} is no range of lines`, {
      hint: 'quarry explain FILE:10-20',
    })
  return `${start},${end}`
}

const noFile = (path: string, commit: string): QuarryError =>
  new QuarryError('BAD_PATH', `There is no file ${path} at commit ${commit.slice(0, 12)}`, {
    hint: 'quarry explain FILE --at REVISION looks at another one',
  })

const asBadRange = (error: unknown, path: string): unknown => {
  const lines = error instanceof QuarryError ? /has only (\d+) lines?/.exec(error.message)?.[1] : undefined
  return lines === undefined
    ? error
    : new QuarryError('BAD_INPUT', `${path} has only ${lines} lines`, {
        hint: `quarry explain ${path}`,
        cause: error,
      })
}

/** Blocks of `id original final count`, then facts, ended by the file's name; what is known of a commit is said once. */
export const parseIncremental = (text: string): BlamedLines[] => {
  const groups: BlamedLines[] = []
  const boundaries = new Set<string>()
  const times = new Map<string, number>()
  let facts: string[] = []
  for (const line of text.split('\n')) {
    facts.push(line)
    if (!line.startsWith('filename ')) continue
    const group = readGroup(facts)
    if (facts.includes('boundary')) boundaries.add(group.sha)
    const time = facts.find(fact => fact.startsWith('committer-time '))
    if (time !== undefined) times.set(group.sha, Number(time.slice('committer-time '.length)) * 1000)
    const committed = times.get(group.sha) ?? 0
    groups.push({ ...group, committed, boundary: boundaries.has(group.sha) })
    facts = []
  }
  return groups
}

const readGroup = (facts: readonly string[]): Omit<BlamedLines, 'boundary' | 'committed'> => {
  const [sha = '', original, final, count] = facts[0]!.split(' ')
  const previous = /^previous ([0-9a-f]+) (.*)$/.exec(facts.find(line => line.startsWith('previous ')) ?? '')
  return {
    sha,
    originalPath: unquotePath(facts.at(-1)!.slice('filename '.length)),
    originalLine: Number(original),
    finalLine: Number(final),
    count: Number(count),
    ...(previous ? { previous: { sha: previous[1]!, path: unquotePath(previous[2]!) } } : {}),
  }
}
