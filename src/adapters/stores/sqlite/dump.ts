/** The content of an index as sorted lines, without anything that depends on the order of writing: equal dumps, equal indexes. */

import { createHash } from 'node:crypto'
import type { Database } from './database.js'
import { openForReading } from './open-database.js'

interface DumpRow {
  readonly kind: string
  readonly path: string
  readonly ordinal: number
  readonly content: string
  readonly embedding: number | null
}

export const dump = async (directory: string): Promise<string[]> => {
  const database = await openForReading(directory)
  try {
    return database.read(() => dumpLines(database))
  } finally {
    database.close()
  }
}

const dumpLines = (database: Database): string[] => {
  const vectors = vectorHashes(database)
  const lines: string[] = []
  database.each<DumpRow>(
    `SELECT kind, path, ordinal, embedding, json_array(start_line, end_line, digest, file, header, symbols, text) AS content
     FROM chunks JOIN documents ON documents.id = chunks.document JOIN texts ON texts.chunk = chunks.id`,
    ({ kind, path, ordinal, content, embedding }) => {
      const place = `${kind} ${JSON.stringify(path)} ${String(ordinal).padStart(6, '0')}`
      lines.push([place, sha256(content), ...(vectors.get(embedding ?? 0) ?? [])].join(' '))
    },
  )
  database.each<{ kind: string; path: string; content_hash: string; chunks: number }>(
    'SELECT kind, path, content_hash, chunks FROM documents',
    ({ kind, path, content_hash, chunks }) =>
      lines.push(`${kind} ${JSON.stringify(path)} = ${content_hash} ${chunks}`),
  )
  return lines.sort()
}

/** For each embedding `embedder:hash`, sorted. */
const vectorHashes = (database: Database): Map<number, string[]> => {
  const byEmbedder = new Map<string, Map<number, string>>()
  database.each<{ name: string; dimensions: number; embeddings: Uint8Array; vectors: Uint8Array }>(
    `SELECT name, dimensions, embeddings, vectors FROM vector_blocks JOIN embedders ON embedders.id = embedder
     ORDER BY name, number`,
    ({ name, dimensions, embeddings, vectors }) => {
      const hashes = byEmbedder.get(name) ?? new Map<number, string>()
      byEmbedder.set(name, hashes)
      new Uint32Array(embeddings.slice().buffer).forEach((embedding, at) => {
        hashes.set(embedding, sha256(vectors.subarray(at * dimensions, (at + 1) * dimensions)))
      })
    },
  )
  const found = new Map<number, string[]>()
  for (const [name, hashes] of byEmbedder) {
    for (const [embedding, hash] of hashes)
      found.set(embedding, [...(found.get(embedding) ?? []), `${name}:${hash}`])
  }
  return found
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
