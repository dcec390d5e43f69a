/** Which commits there are: those reachable from some tips, merges left out, newest first. */

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { needingRoom } from './needing-room.js'
import type { Repository } from './shadow.js'

export interface ListedCommit {
  readonly sha: string
  /** Milliseconds since 1970. */
  readonly committed: number
}

export interface CommitList {
  readonly commits: readonly ListedCommit[]
  /** Commits whose parents should be there and are not: what lies behind them cannot be listed. */
  readonly broken: readonly string[]
}

/** A repository with more holes than this is damaged beyond what patience mends. */
const MOST_HOLES = 200

/** `tips` are object ids. With `below`, only commits that change something in that directory. */
export const listCommits = async (
  repository: Repository,
  tips: readonly string[],
  below: string,
  signal?: AbortSignal,
): Promise<CommitList> => {
  if (tips.length === 0) return { commits: [], broken: [] }
  const broken: string[] = []
  const scope = below === '' ? [] : ['--full-history', '--', below]
  for (;;) {
    const shallowFile =
      broken.length === 0 ? null : fileIn(repository, [...repository.shallowCommits(), ...broken])
    try {
      const output = await repository.run(['rev-list', '--no-merges', '--timestamp', '--stdin', ...scope], {
        input: `${tips.join('\n')}\n`,
        ...(signal ? { signal } : {}),
        ...(shallowFile === null ? {} : { shallowFile }),
      })
      return { commits: parse(output), broken }
    } catch (error) {
      // Git stops at a parent that is missing. Told that history ends there, it lists the rest.
      const hole = holeOf(error)
      if (hole === undefined || broken.includes(hole) || broken.length >= MOST_HOLES) throw error
      broken.push(hole)
    } finally {
      if (shallowFile !== null) rmSync(shallowFile, { force: true })
    }
  }
}

const holeOf = (error: unknown): string | undefined =>
  error instanceof QuarryError && error.code === 'GIT_FAILED'
    ? /Failed to traverse parents of commit ([0-9a-f]{40,64})/.exec(error.message)?.[1]
    : undefined

const fileIn = ({ shadowDirectory }: Repository, commits: readonly string[]): string => {
  const path = join(shadowDirectory, `shallow-${process.pid}-${randomUUID()}`)
  needingRoom(shadowDirectory, () =>
    writeFileSync(path, `${commits.join('\n')}\n`, { mode: 0o600, flag: 'wx' }),
  )
  return path
}

/** Git's own order depends on how branches interleave; this one depends on the commits alone. */
const parse = (output: Buffer): ListedCommit[] =>
  output
    .toString('latin1')
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const space = line.indexOf(' ')
      return { committed: Number(line.slice(0, space)) * 1000, sha: line.slice(space + 1) }
    })
    .sort((one, other) => other.committed - one.committed || (one.sha < other.sha ? -1 : 1))
