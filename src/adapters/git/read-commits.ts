/**
 * Streams commits with their diffs out of one git process. Git ends at the first object that it cannot read; then the commit
 * it stood at is skipped with git's words, and a new process goes on behind it. Each process settles at least one commit.
 */

import type { Skipped } from '../../core/types.js'
import type { GitEnd } from './git-process.js'
import type { Repository } from './shadow.js'
import { siftUnreadable } from './sift-unreadable.js'
import { commitSplitter, END_MARK, FORMAT, type RawCommit, type SplitOptions } from './split-commits.js'

export interface ReadOptions extends SplitOptions {
  /** Only what lies in this directory, and paths from there on; '' is everything. */
  readonly below: string
  /** Merges are shown as what they bring to their first parent; otherwise as nothing. */
  readonly merges?: boolean
  /** How long git may be silent. */
  readonly stallMilliseconds?: number
}

/** With so many bad commits it is cheaper to look before than to start git again for each. */
const FAILURES_BEFORE_SIFTING = 3
const SIFTED_AT_ONCE = 2000
/** Then it is not the commits: the rest is left for the next run. */
const MOST_FAILURES_IN_A_ROW = 50
const STALL_MILLISECONDS = 120_000

const NOTHING: ReadonlyMap<string, string> = new Map()

/** In the order of `shas`, each exactly once: the commit, or why git cannot read it. */
export async function* readCommits(
  repository: Repository,
  shas: readonly string[],
  options: ReadOptions,
  signal?: AbortSignal,
): AsyncGenerator<RawCommit | Skipped> {
  let at = 0
  let failures = 0
  let inARow = 0
  while (at < shas.length) {
    const isSifting = failures >= FAILURES_BEFORE_SIFTING
    const part = isSifting ? shas.slice(at, at + SIFTED_AT_ONCE) : at === 0 ? shas : shas.slice(at)
    const unreadable = isSifting ? await siftUnreadable(repository, part, signal) : NOTHING
    const wanted = unreadable.size === 0 ? part : part.filter(sha => !unreadable.has(sha))
    let settled = 0
    /** Skips what the sift found on the way to the next commit that was asked for. */
    function* passUnreadable(): Generator<Skipped> {
      for (; settled < part.length && unreadable.has(part[settled]!); settled++)
        yield missing(part[settled]!, unreadable.get(part[settled]!)!)
    }
    const diffs = stream(repository, wanted, options, signal)
    for await (const commit of diffs.commits) {
      yield* passUnreadable()
      yield commit ?? missing(part[settled]!, 'there is no such commit')
      settled++
      inARow = 0
    }
    yield* passUnreadable()
    const end = diffs.end()
    if (settled < part.length) {
      const sha = part[settled]!
      failures++
      inARow++
      const again = mayBeTooLarge(end) ? await readAlone(repository, sha, options, signal) : null
      yield again ?? missing(sha, firstWords(end))
      settled++
      if (inARow >= MOST_FAILURES_IN_A_ROW) {
        for (const rest of shas.slice(at + settled)) yield missing(rest, firstWords(end))
        return
      }
    }
    at += settled
  }
}

/** Finding renames reads whole files, even those too large to show: without it a bomb is two lines about a binary file. */
const readAlone = async (
  repository: Repository,
  sha: string,
  options: ReadOptions,
  signal?: AbortSignal,
): Promise<RawCommit | null> => {
  let found: RawCommit | null = null
  const diffs = stream(repository, [sha], options, signal, ['--no-renames'])
  for await (const commit of diffs.commits) found = commit
  return found
}

const mayBeTooLarge = ({ code, complaint }: GitEnd): boolean =>
  code === null || /over limit|out of memory|cannot allocate|malloc failed/i.test(complaint)

const stream = (
  repository: Repository,
  shas: readonly string[],
  { below, merges, stallMilliseconds = STALL_MILLISECONDS, ...options }: ReadOptions,
  signal: AbortSignal | undefined,
  renames: readonly string[] = ['-M'],
) => {
  let end: GitEnd = { code: 0, complaint: '' }
  const args = [
    'diff-tree',
    '--stdin',
    '--always',
    '--root',
    '-r',
    '-p',
    '-U3',
    ...renames,
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--encoding=UTF-8',
    `--format=${FORMAT}`,
    ...(merges ? ['--diff-merges=first-parent'] : []),
    ...(below === '' ? [] : [`--relative=${below}`]),
  ]
  async function* commits(): AsyncGenerator<RawCommit | null> {
    if (shas.length === 0) return
    const git = repository.stream(args, { input: questions(shas), ...(signal ? { signal } : {}) })
    const splitter = commitSplitter(options)
    const watch = watchSilence(stallMilliseconds, git.stop)
    try {
      const pieces = git.output[Symbol.asyncIterator]()
      for (;;) {
        watch.begin()
        const piece = await pieces.next()
        watch.end()
        if (piece.done) break
        yield* splitter.push(piece.value)
      }
    } catch (error) {
      // A stream that was cut off by us says less than the reason for it.
      if (!signal?.aborted && !watch.wasTooLong()) throw error
    } finally {
      watch.close()
      git.stop()
      end = await git.ended
    }
    if (watch.wasTooLong()) end = { code: null, complaint: `git was silent for ${stallMilliseconds} ms` }
  }
  return { commits: commits(), end: (): GitEnd => end }
}

/** Counts only while we wait for git, not while others wait for us. */
const watchSilence = (milliseconds: number, stop: () => void) => {
  let since = Number.POSITIVE_INFINITY
  let isTooLong = false
  const timer = setInterval(() => {
    isTooLong ||= performance.now() - since > milliseconds
    if (isTooLong) stop()
  }, milliseconds / 8)
  return {
    begin: (): void => {
      since = performance.now()
    },
    end: (): void => {
      since = Number.POSITIVE_INFINITY
    },
    wasTooLong: (): boolean => isTooLong,
    close: (): void => clearInterval(timer),
  }
}

const QUESTIONS_AT_ONCE = 500

function* questions(shas: readonly string[]): Generator<string> {
  for (let at = 0; at < shas.length; at += QUESTIONS_AT_ONCE)
    yield shas
      .slice(at, at + QUESTIONS_AT_ONCE)
      .map(sha => `${sha}\n${END_MARK}\n`)
      .join('')
}

const firstWords = ({ code, complaint }: GitEnd): string =>
  complaint.split('\n').find(line => line.startsWith('fatal:')) ??
  (complaint.split('\n')[0] || `git ended with ${code}`)

const missing = (sha: string, detail: string): Skipped => ({
  path: sha,
  reason: 'missing-object',
  detail: detail.slice(0, 500),
})
