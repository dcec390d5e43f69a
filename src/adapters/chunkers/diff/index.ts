/**
 * The chunker of history: the diff of a commit becomes one chunk for the commit, which is searched, and one for each hunk,
 * which is shown.
 */

import { QuarryError } from '../../../core/errors.js'
import type { Chunker } from '../../../core/ports.js'
import { commitChunk } from './commit-chunk.js'
import { hunkChunks } from './hunk-chunks.js'
import { parseDiff } from './parse-diff.js'

/** Raised whenever the same diff would be cut otherwise. 2: files that were only moved have a chunk. */
const REVISION = 2

export const diffChunker = (): Chunker => ({
  id: `diff/${REVISION}`,
  chunk: async (document, signal) => {
    const changes = []
    for (const section of parseDiff(document.text)) {
      if (signal?.aborted) throw new QuarryError('CANCELLED', 'Cutting the commit was cancelled')
      changes.push({ section, chunks: hunkChunks(document.text, section) })
    }
    return [commitChunk(document, changes), ...changes.flatMap(({ chunks }) => chunks)]
  },
  close: async () => {},
})
