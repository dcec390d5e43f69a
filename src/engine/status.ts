/** What the index holds against what the work tree holds. Counted anew each time; no flag is trusted. */

import { QuarryError } from '../core/errors.js'
import type { KnownDocument, Source } from '../core/ports.js'
import type { Skipped, SkipReason } from '../core/types.js'
import type { Status } from './api.js'
import type { History } from './history.js'
import type { OpenNotes } from './notes/notes.js'
import { countChanged, knownTo } from './refresh.js'
import type { Shelf } from './shelf.js'

export interface StatusParts {
  readonly root: string
  readonly directory: string
  readonly source: Source
  readonly shelf: Shelf
  readonly history: History
  readonly notes: OpenNotes
}

export const statusOf = async (parts: StatusParts): Promise<Status> => {
  const { root, directory, source, shelf, history, notes } = parts
  const index = await shelf.openIfThere()
  const known = index === null ? new Map<string, KnownDocument>() : await knownTo(index)
  const changes = await source.changes(known)
  const remembered = index === null ? [] : await index.skipped()
  const skipped = merge(remembered, changes.skipped)
  return {
    root,
    indexDirectory: directory,
    index: index === null ? null : await index.state(),
    changed: await countChanged(changes.touched, known, source),
    gone: changes.gone.length,
    skipped,
    skippedByReason: countReasons(skipped),
    history: await history.status(),
    ...(await notesStatus(notes)),
  }
}

/** A notebook that cannot be read is told of; the rest of the status stands. */
const notesStatus = async (notes: OpenNotes): Promise<Pick<Status, 'notes' | 'warnings'>> => {
  try {
    return { notes: await notes.status(), warnings: [] }
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error
    const { code, message, hint } = error
    return { notes: null, warnings: [{ code, message, ...(hint !== undefined && { hint }) }] }
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
