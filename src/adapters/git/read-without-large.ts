/** The second try at a commit that git gave up on: without the files that are too large for it. */

import type { Skipped } from '../../core/types.js'
import { type DiffOptions, streamDiffs } from './diff-stream.js'
import type { GitEnd } from './git-process.js'
import { listChanges } from './list-changes.js'
import { checkObjects } from './revision.js'
import type { Repository } from './shadow.js'
import { FORMAT, LONGEST_FIELD, type RawCommit } from './split-commits.js'
import { OVER_MEMORY } from './watch-memory.js'

/** Larger blobs are not shown, but git still reads new and deleted ones whole, and all of them to find renames. */
const LARGEST_SHOWN = 2 << 20
const MOST_EXCLUDED = 1000

/** Once more without the files that were too much; null where that is not what was wrong. */
export const readWithoutLarge = async (
  repository: Repository,
  sha: string,
  end: GitEnd,
  options: DiffOptions,
  signal?: AbortSignal,
): Promise<RawCommit | null> => {
  const changes = (await listChanges(repository, [sha], signal)).get(sha) ?? []
  // Not even the names of its files can be had.
  if (changes.length === 0 && end.complaint === OVER_MEMORY) return withoutDiff(repository, sha, signal)
  const answers = await checkObjects(
    repository,
    changes.flatMap(change => change.blobs),
    signal,
  )
  if (answers.some(answer => answer.kind === 'missing')) return null
  const sizes = new Map(answers.map(answer => [answer.id, answer.size]))
  const large = changes
    .map(change => ({
      path: change.path,
      size: Math.max(0, ...change.blobs.map(blob => sizes.get(blob) ?? 0)),
    }))
    .filter(({ size }) => size > LARGEST_SHOWN)
  if (large.length > MOST_EXCLUDED || (large.length === 0 && !isForWantOfMemory(end))) return null
  const renames = large.length === 0 ? '--no-renames' : '-M'
  const excluded = large.map(({ path }) => `:(top,exclude,literal)${path}`)
  let found: RawCommit | null = null
  for await (const commit of streamDiffs(repository, [sha], options, signal, renames, excluded).commits)
    found = commit
  const prefix = options.below === '' ? '' : `${options.below}/`
  const omitted = large
    .filter(
      ({ path }) => path.startsWith(prefix) && options.judgePath(path.slice(prefix.length)) !== 'ignored',
    )
    .map(
      ({ path, size }): Skipped => ({
        path: path.slice(prefix.length),
        reason: 'too-large',
        detail: `${size} bytes`,
      }),
    )
  return found && { ...found, omitted: [...found.omitted, ...omitted] }
}

/** What the commit says of itself, at least. */
const withoutDiff = async (repository: Repository, sha: string, signal?: AbortSignal): Promise<RawCommit> => {
  const args = ['log', '-1', '--no-walk', '-s', '--encoding=UTF-8', `--format=${FORMAT}`, sha, '--']
  const output = await repository.run(args, signal ? { signal } : {})
  const fields: Buffer[] = []
  for (let at = output.indexOf(0); at >= 0 && at < output.length - 2; ) {
    const end = output.indexOf(0, at + 1)
    fields.push(output.subarray(at + 1, end).subarray(0, LONGEST_FIELD))
    at = end
  }
  const detail = 'git needs more than 512 MB to list its files'
  return { fields, diff: Buffer.alloc(0), omitted: [{ path: '*', reason: 'too-large', detail }] }
}

const isForWantOfMemory = ({ code, complaint }: GitEnd): boolean =>
  code === null || /over limit|out of memory|cannot allocate|malloc failed/i.test(complaint)
