/** What a run has to do: the files of the tree against what the index knows of them, by names and stamps alone. */

import { availableParallelism, loadavg } from 'node:os'
import type { KnownDocument, SourceChanges } from '../../../core/ports.js'
import type { Skipped } from '../../../core/types.js'
import type { Breather } from './breather.js'
import type { Refusal } from './read-bytes.js'
import { prefixOf } from './root.js'
import { sharedStatuses, statuses } from './statuses.js'
import { type Visitor, walk } from './walk.js'
import type { Wanted } from './wanted.js'

export interface Territory {
  /** A real path. */
  readonly root: string
  readonly ignore: readonly string[]
  readonly wanted: Wanted
  readonly maxFileBytes: number
  /** The stamp that an unchanged file has. */
  readonly expectedStamp: (known: KnownDocument) => string
  /** Told of every directory. */
  readonly watch?: Pick<Visitor, 'look' | 'enter'> | undefined
}

/** From here on a second thread saves more than the 30 ms it needs to start: a third of the time at 35,000 files. */
const LARGE_TREE = 10_000

export const findChanges = async (
  { root, ignore, wanted, maxFileBytes, expectedStamp, watch }: Territory,
  known: ReadonlyMap<string, KnownDocument>,
  breathe: Breather,
): Promise<SourceChanges> => {
  const present: string[] = []
  const touched: string[] = []
  const lost = new Set<string>()
  const skipped: Skipped[] = []
  const blind: string[] = []
  let files = 0
  const skip = (path: string, refusal: Refusal): void => {
    skipped.push({ path, ...refusal })
  }
  const differs = (path: string, status: string | Refusal): void => {
    if (typeof status === 'string') {
      touched.push(path)
      return
    }
    files--
    if (known.has(path)) lost.add(path)
    skip(path, status)
  }
  const collect = known.size >= LARGE_TREE && hasIdleCore() ? sharedStatuses : statuses
  const statusesOf = collect(prefixOf(root), BigInt(maxFileBytes), differs, breathe)
  const visitor: Visitor = {
    file: path => {
      const before = known.get(path)
      if (before) present.push(path)
      files++
      statusesOf.add(path, before ? expectedStamp(before) : '')
    },
    skip,
    blind: path => blind.push(path === '' ? '' : `${path}/`),
    ...(watch && { look: watch.look, enter: watch.enter }),
  }
  try {
    await walk(root, ignore, wanted, visitor, breathe)
    await statusesOf.finish()
  } finally {
    statusesOf.close()
  }
  return {
    touched: touched.sort(),
    gone: missing(known, present, lost, blind),
    unchanged: files - touched.length,
    skipped: skipped.sort(byPath),
  }
}

/** On a busy machine a second thread only takes turns with the first. The load of our own last run must not count as busy. */
const hasIdleCore = (): boolean => {
  const cores = availableParallelism()
  return cores > 1 && loadavg()[0]! < 2 * cores
}

/** Known documents that the walk did not meet, except where it could not look, and those it met as something else. */
const missing = (
  known: ReadonlyMap<string, KnownDocument>,
  present: readonly string[],
  lost: ReadonlySet<string>,
  blind: readonly string[],
): string[] => {
  if (present.length === known.size && lost.size === 0) return []
  const met = new Set(present)
  const isGone = (path: string): boolean =>
    lost.has(path) || (!met.has(path) && !blind.some(prefix => path.startsWith(prefix)))
  return [...known.keys()].filter(isGone).sort()
}

const byPath = (one: Skipped, other: Skipped): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0
