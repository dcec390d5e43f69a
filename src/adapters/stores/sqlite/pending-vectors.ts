/** What still waits for a vector: worked out once for an embedder, then kept up to date in memory until documents change. */

import type { VectorBatch } from '../../../core/ports.js'
import type { Database } from './database.js'

export interface PendingVectors {
  /** Ids of chunks, one for each text that waits, the most recently changed documents first. */
  list(embedder: string, limit: number): { readonly total: number; readonly chunks: readonly number[] }
  /** These have come. */
  settle(batch: VectorBatch): void
  /** Documents have changed. */
  reset(): void
}

export const pendingVectors = (database: Database): PendingVectors => {
  /** For each embedder the hashes that wait, in order, with a chunk of each. */
  const waiting = new Map<string, Map<string, number>>()
  return {
    list: (embedder, limit) => {
      const queue = waiting.get(embedder) ?? loadQueue(database, embedder)
      waiting.set(embedder, queue)
      const chunks: number[] = []
      for (const chunk of queue.values()) {
        if (chunks.length >= limit) break
        chunks.push(chunk)
      }
      return { total: queue.size, chunks }
    },
    settle: ({ embedderId, vectors }) => {
      for (const hash of vectors.keys()) waiting.get(embedderId)?.delete(hash)
    },
    reset: () => waiting.clear(),
  }
}

const loadQueue = (database: Database, embedder: string): Map<string, number> => {
  const rows = database.all<{ hash: string; chunk: number }>(
    `SELECT embeddings.hash, min(chunks.id) AS chunk
     FROM chunks
     JOIN documents ON documents.id = chunks.document
     JOIN embeddings ON embeddings.id = chunks.embedding
     WHERE NOT EXISTS (
       SELECT 1 FROM embedded
       WHERE embedded.embedder = (SELECT id FROM embedders WHERE name = ?) AND embedded.embedding = chunks.embedding
     )
     GROUP BY chunks.embedding
     ORDER BY max(documents.time) DESC, chunk`,
    embedder,
  )
  return new Map(rows.map(({ hash, chunk }) => [hash, chunk]))
}
