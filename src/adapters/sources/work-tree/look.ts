/**
 * One look at the tree: the walk, what the file system says of every file, and a name for all of it. As long as the name is the
 * one that the index was left with, nothing has to be compared; otherwise the same look is compared file by file.
 */

import { createHash } from 'node:crypto'
import type { KnownDocument, SourceChanges, SourceLook } from '../../../core/ports.js'
import type { Skipped } from '../../../core/types.js'
import type { Batch, BatchStatuses } from './batch.js'
import type { Breather } from './breather.js'
import type { Refusal } from './read-bytes.js'
import { prefixOf } from './root.js'
import { statuses } from './statuses.js'
import { type Visitor, walk } from './walk.js'
import type { Wanted } from './wanted.js'
import type { TreeWatch } from './watch-tree.js'

export interface Territory {
  /** A real path. */
  readonly root: string
  readonly ignore: readonly string[]
  readonly wanted: Wanted
  readonly maxFileBytes: number
  /** Names the rules by which files are left out for their content. */
  readonly rulesId: string
  /** The stamp that an unchanged file has. */
  readonly expectedStamp: (known: KnownDocument) => string
  /** Told of every directory, and remembers the quiet ones. */
  readonly watch?: Pick<TreeWatch, 'look' | 'listed' | 'enter' | 'stamps'> | undefined
}

interface Seen {
  readonly batches: readonly (Batch & BatchStatuses)[]
  /** Left out for their names or their status, sorted. */
  readonly skipped: readonly Skipped[]
  /** Directories, with a slash, that could not be looked into. */
  readonly blind: readonly string[]
}

export const lookAt = async (territory: Territory, breathe: Breather): Promise<SourceLook> => {
  const { rulesId, expectedStamp } = territory
  const seen = await see(territory, breathe)
  const { batches } = seen
  const documents = batches.reduce((sum, { paths, refusals }) => sum + paths.length - refusals.length, 0)
  /** Of the files that `changes` found to be read. */
  let stamps = new Map<string, string>()
  return {
    stamp: nameOf(seen, rulesId),
    documents,
    changes: known => {
      stamps = new Map()
      return compare(seen, documents, known, expectedStamp, stamps)
    },
    isOf: ({ path, stamp }) => {
      const before = stamps.get(path)
      return before !== undefined && (stamp === before || stamp === `${before} ${rulesId}`)
    },
  }
}

const see = async (
  { root, ignore, wanted, maxFileBytes, watch }: Territory,
  breathe: Breather,
): Promise<Seen> => {
  const skipped: Skipped[] = []
  const blind: string[] = []
  const skip = (path: string, refusal: Refusal): void => {
    skipped.push({ path, ...refusal })
  }
  const asked = statuses({
    prefix: prefixOf(root),
    maxFileBytes: BigInt(maxFileBytes),
    breathe,
    memory: watch?.stamps,
  })
  const visitor: Visitor = {
    file: asked.add,
    skip,
    blind: path => blind.push(path === '' ? '' : `${path}/`),
    ...(watch && { look: watch.look, listed: watch.listed, enter: watch.enter }),
  }
  try {
    await walk(root, ignore, wanted, visitor, breathe)
    const batches = await asked.finish()
    for (const { paths, refusals } of batches)
      for (const [position, refusal] of refusals) skip(paths[position]!, refusal)
    return { batches, skipped: skipped.sort(byPath), blind }
  } finally {
    asked.close()
  }
}

/** In the order of the walk, which a tree that rests does not change. No name holds a NUL. */
const nameOf = ({ batches, skipped, blind }: Seen, rulesId: string): string => {
  const hash = createHash('sha256').update(JSON.stringify([rulesId, skipped, blind]))
  for (const { paths, stamps } of batches) hash.update(`\0${paths.join('\0')}\0${stamps}`)
  return `tree ${hash.digest('hex').slice(0, 32)}`
}

/** Puts the stamps of the files that are to be read into `stampsOfTouched`. */
const compare = (
  seen: Seen,
  documents: number,
  known: ReadonlyMap<string, KnownDocument>,
  expectedStamp: (known: KnownDocument) => string,
  stampsOfTouched: Map<string, string>,
): SourceChanges => {
  let met = 0
  for (const [path, stamp] of stampsIn(seen)) {
    const before = known.get(path)
    if (before) met++
    if (!before || expectedStamp(before) !== stamp) stampsOfTouched.set(path, stamp)
  }
  return {
    touched: [...stampsOfTouched.keys()].sort(),
    gone: met === known.size ? [] : missing(known, seen),
    unchanged: documents - stampsOfTouched.size,
    skipped: seen.skipped,
  }
}

/** Known documents that the walk did not meet, except where it could not look, and those it met as something else. */
const missing = (known: ReadonlyMap<string, KnownDocument>, seen: Seen): string[] => {
  const met = new Set([...stampsIn(seen)].map(([path]) => path))
  const lost = new Set(seen.skipped.map(({ path }) => path))
  const isGone = (path: string): boolean =>
    !met.has(path) && (lost.has(path) || !seen.blind.some(prefix => path.startsWith(prefix)))
  return [...known.keys()].filter(isGone).sort()
}

function* stampsIn({ batches }: Seen): Generator<readonly [path: string, stamp: string]> {
  for (const batch of batches) {
    const stamps = batch.stamps.split('\n')
    for (const [position, path] of batch.paths.entries()) {
      const stamp = stamps[position]!
      if (stamp !== '') yield [path, stamp]
    }
  }
}

const byPath = (one: Skipped, other: Skipped): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0
