/** With which what a source has now is compared. */

import type { KnownDocument } from '../core/ports.js'
import type { Skipped } from '../core/types.js'

/** What the index knows of every file: those it holds, and those it read and left out. */
export const withSkipped = (
  documents: ReadonlyMap<string, KnownDocument>,
  skipped: readonly Skipped[],
): ReadonlyMap<string, KnownDocument> => {
  const known = new Map(documents)
  for (const { path, stamp } of skipped)
    if (stamp !== undefined && !known.has(path)) known.set(path, { stamp, contentHash: '' })
  return known
}
