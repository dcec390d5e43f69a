/** What the index holds against what the work tree holds. Counted anew each time; no flag is trusted. */

import { QuarryError } from '../core/errors.js'
import type { IndexReader, Source } from '../core/ports.js'
import type { Skipped, SkipReason } from '../core/types.js'
import type { Status } from './api.js'
import { knownTo } from './refresh.js'

export interface StatusParts {
  readonly root: string
  readonly directory: string
  readonly source: Source
  readonly openReader: () => Promise<IndexReader>
}

export const statusOf = async ({ root, directory, source, openReader }: StatusParts): Promise<Status> => {
  let index: IndexReader | null = null
  try {
    index = await openReader()
  } catch (error) {
    if (!(error instanceof QuarryError && error.code === 'INDEX_MISSING')) throw error
  }
  const changes = await source.changes(index === null ? new Map() : await knownTo(index))
  const remembered = index === null ? [] : await index.skipped()
  const skipped = merge(remembered, changes.skipped)
  return {
    root,
    indexDirectory: directory,
    index: index === null ? null : await index.state(),
    changed: changes.touched.length,
    gone: changes.gone.length,
    skipped,
    skippedByReason: countReasons(skipped),
    warnings: [],
  }
}

const merge = (remembered: readonly Skipped[], now: readonly Skipped[]): readonly Skipped[] => {
  const byPath = new Map([...remembered, ...now].map(entry => [entry.path, entry]))
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const countReasons = (skipped: readonly Skipped[]): Partial<Record<SkipReason, number>> => {
  const counts: Partial<Record<SkipReason, number>> = {}
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
