/** Chunks that questions have read, kept as long as the index stays the same: good candidates come up again and again. */

import type { ChunkBeside, ChunkId, StoredChunk } from '../../../core/types.js'
import type { Database } from './database.js'
import { chunksBeside, chunksById } from './stored-chunks.js'

/** Of text: some 4,000 chunks, a few megabytes. */
const MOST_CHARACTERS = 4_000_000

/** Called inside a read transaction. */
export interface KeptChunks {
  /** In the order asked for; a number that is no chunk is left out. */
  read(ids: readonly ChunkId[]): StoredChunk[]
  /** These and so many before and after each in its document; each once. */
  around(ids: readonly ChunkId[], before: number, after: number): ChunkBeside[]
}

export const keepChunks = (database: Database): KeptChunks => {
  const kept = new Map<ChunkId, StoredChunk>()
  /** Those that were only ever beside another one. */
  const beside = new Map<ChunkId, ChunkBeside>()
  let characters = 0
  const makeRoom = ({ text }: ChunkBeside): void => {
    if (characters > MOST_CHARACTERS) {
      kept.clear()
      beside.clear()
      characters = 0
    }
    characters += text.length
  }
  const known = (id: ChunkId): ChunkBeside | undefined => kept.get(id) ?? beside.get(id)
  const read = (ids: readonly ChunkId[]): StoredChunk[] => {
    const missing = ids.filter(id => !kept.has(id))
    const fresh = new Map(
      missing.length === 0 ? [] : chunksById(database, missing).map(chunk => [chunk.id, chunk]),
    )
    const found = ids.flatMap(id => kept.get(id) ?? fresh.get(id) ?? [])
    for (const chunk of fresh.values()) {
      makeRoom(chunk)
      kept.set(chunk.id, chunk)
    }
    return found
  }
  return {
    read,
    around: (ids, before, after) => {
      const { old, fresh } = chunksBeside(database, read(ids), before, after, known)
      for (const chunk of fresh) {
        makeRoom(chunk)
        beside.set(chunk.id, chunk)
      }
      return [...old, ...fresh]
    },
  }
}
