/**
 * Streams commits with their diffs out of one git process. Git ends at the first object that it cannot read. The next process
 * begins at the first commit that did not come out whole; when git fails there at once, that one is skipped with git's words.
 * So each process settles at least one commit, and none comes out twice.
 */

import type { Skipped } from '../../core/types.js'
import { canStart, type DiffOptions, EXACT_COMMITS, streamDiffs } from './diff-stream.js'
import type { GitEnd } from './git-process.js'
import { readWithoutLarge } from './read-without-large.js'
import type { Repository } from './shadow.js'
import { siftUnreadable } from './sift-unreadable.js'
import type { RawCommit } from './split-commits.js'

/** With so many bad commits it is cheaper to look before than to start git again for each. */
const FAILURES_BEFORE_SIFTING = 3
const SIFTED_AT_ONCE = 2000
/** Then it may not be the commits: a git that cannot even be asked nothing is not asked again. */
const MANY_FAILURES = 50

const NOTHING: ReadonlyMap<string, string> = new Map()
const UNKNOWN = 'there is no such commit'

/** In the order of `shas`, each exactly once: the commit, or why git cannot read it. */
export async function* readCommits(
  repository: Repository,
  shas: readonly string[],
  options: DiffOptions,
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
    let answered = 0
    /** Skips what was found out about on the way to this commit, or to the end. */
    function* passUntil(sha: string | undefined): Generator<Skipped> {
      for (; settled < part.length && part[settled] !== sha; settled++) {
        const isKnown = unreadable.has(part[settled]!)
        if (!isKnown && sha === undefined) return
        if (!isKnown) answered++
        yield missing(part[settled]!, unreadable.get(part[settled]!) ?? UNKNOWN)
      }
    }
    const diffs = streamDiffs(repository, wanted, options, signal)
    for await (const commit of diffs.commits) {
      yield* passUntil(commit.fields[0]!.toString('latin1'))
      yield commit
      settled++
      answered++
      inARow = 0
    }
    yield* passUntil(undefined)
    const end = diffs.end()
    if (diffs.wasCut()) {
      at += settled
      continue
    }
    if (settled < part.length && end.code === 0) {
      for (const sha of part.slice(settled)) yield missing(sha, unreadable.get(sha) ?? UNKNOWN)
      settled = part.length
    } else if (settled < part.length && answered < EXACT_COMMITS) {
      const sha = part[settled]!
      const again = await readWithoutLarge(repository, sha, end, options, signal)
      failures++
      inARow = again === null ? inARow + 1 : 0
      yield again ?? missing(sha, firstWords(end))
      settled++
      if (inARow === MANY_FAILURES && !(await canStart(repository, options, signal))) {
        for (const rest of shas.slice(at + settled)) yield missing(rest, firstWords(end))
        return
      }
    }
    at += settled
  }
}

const firstWords = ({ code, complaint }: GitEnd): string =>
  complaint.split('\n').find(line => line.startsWith('fatal:')) ??
  (complaint.split('\n')[0] || `git ended with ${code}`)

const missing = (sha: string, detail: string): Skipped => ({
  path: sha,
  reason: 'missing-object',
  detail: detail.slice(0, 500),
})
