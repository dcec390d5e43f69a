/** One git process that answers for one commit after the other, and is watched: a git that broods too long is stopped. */

import type { GitEnd } from './git-process.js'
import type { Repository } from './shadow.js'
import { commitSplitter, END_MARK, FORMAT, type RawCommit, type SplitOptions } from './split-commits.js'

export interface DiffOptions extends SplitOptions {
  /** Only what lies in this directory, and paths from there on; '' is everything. */
  readonly below: string
  /** Merges are shown as what they bring to their first parent; otherwise as nothing. */
  readonly merges?: boolean
  /** How long git may be silent. */
  readonly stallMilliseconds?: number
}

/** A mark is a write of its own, which costs as much as a small commit: most commits end where the next begins. */
const COMMITS_PER_MARK = 32
/** The first few are marked each: when git fails among them, it is known at which. */
export const EXACT_COMMITS = 2

const STALL_MILLISECONDS = 120_000

export interface Diffs {
  /** In the order asked for, without those that git does not know. Ends early where git does. */
  readonly commits: AsyncIterable<RawCommit>
  /** How git ended; asked after the last commit. */
  end(): GitEnd
  /** The last commit came without its end, because it has none: git was stopped, and is to be asked for those behind it. */
  wasCut(): boolean
}

/** `excluded` are path patterns. */
export const streamDiffs = (
  repository: Repository,
  shas: readonly string[],
  options: DiffOptions,
  signal: AbortSignal | undefined,
  renames = '-M',
  excluded: readonly string[] = [],
): Diffs => {
  const { stallMilliseconds = STALL_MILLISECONDS } = options
  const args = argumentsFor(options, renames, excluded)
  let end: GitEnd = { code: 0, complaint: '' }
  let isCut = false
  const pathPatterns = excluded.length > 0
  async function* commits(): AsyncGenerator<RawCommit> {
    if (shas.length === 0) return
    const git = repository.stream(args, {
      input: questions(shas),
      pathPatterns,
      ...(signal ? { signal } : {}),
    })
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
        if (splitter.isEndless()) {
          isCut = true
          yield splitter.cut()
          break
        }
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
  return { commits: commits(), end: (): GitEnd => end, wasCut: () => isCut }
}

/** Whether git works at all: asked about no commit, it has nothing to stumble over. */
export const canStart = async (
  repository: Repository,
  options: DiffOptions,
  signal?: AbortSignal,
): Promise<boolean> => {
  const git = repository.stream(argumentsFor(options, '-M', []), signal ? { signal } : {})
  for await (const _ of git.output);
  return (await git.ended).code === 0
}

const argumentsFor = (
  { below, merges }: DiffOptions,
  renames: string,
  excluded: readonly string[],
): readonly string[] => [
  'diff-tree',
  '--stdin',
  '--always',
  '--root',
  '-r',
  '-p',
  '-U3',
  renames,
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--encoding=UTF-8',
  `--format=${FORMAT}`,
  ...(merges ? ['--diff-merges=first-parent'] : []),
  ...(below === '' ? [] : [`--relative=${below}`]),
  ...(excluded.length === 0 ? [] : ['--', ...excluded]),
]

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

function* questions(shas: readonly string[]): Generator<string> {
  let asked = ''
  for (const [index, sha] of shas.entries()) {
    asked += `${sha}\n`
    const isMarked = index < EXACT_COMMITS || index % COMMITS_PER_MARK === 0 || index === shas.length - 1
    if (!isMarked) continue
    yield `${asked}${END_MARK}\n`
    asked = ''
  }
}
