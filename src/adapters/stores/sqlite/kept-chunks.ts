/** Chunks that questions have read, kept as long as the index stays the same: good candidates come up again and again. */

import type { ChunkId, StoredChunk } from '../../../core/types.js'
import type { Database } from './database.js'
import { chunksById } from './stored-chunks.js'

/** Of text: some 4,000 chunks, a few megabytes. */
const MOST_CHARACTERS = 4_000_000

export interface KeptChunks {
  /** Called inside a read transaction. In the order asked for; a number that is no chunk is left out. */
  read(ids: readonly ChunkId[]): StoredChunk[]
  /** Where it was read before. */
  known(id: ChunkId): StoredChunk | undefined
}

export const keepChunks = (database: Database): KeptChunks => {
  const kept = new Map<ChunkId, StoredChunk>()
  let characters = 0
  const remember = (chunk: StoredChunk): void => {
    if (characters > MOST_CHARACTERS) {
      kept.clear()
      characters = 0
    }
    kept.set(chunk.id, chunk)
    characters += chunk.text.length
  }
  return {
    known: id => kept.get(id),
    read: ids => {
      const missing = ids.filter(id => !kept.has(id))
      const read = new Map(
        missing.length === 0 ? [] : chunksById(database, missing).map(chunk => [chunk.id, chunk]),
      )
      const found = ids.flatMap(id => kept.get(id) ?? read.get(id) ?? [])
      for (const chunk of read.values()) remember(chunk)
      return found
    },
  }
}
