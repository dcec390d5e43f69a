/** Vectors into the index, in blocks, and out of it. Everything here runs inside a transaction of the writer. */

import { QuarryError } from '../../../core/errors.js'
import type { VectorBatch } from '../../../core/ports.js'
import { checksum } from './checksum.js'
import type { Database } from './database.js'
import { type Quantised, quantise } from './quantise.js'
import { embeddingId, type NextIds } from './write-documents.js'

/** A hundred thousand rows of one vector each take three times as long to read as blocks of this size. */
const VECTORS_IN_A_BLOCK = 256

interface Entry {
  readonly embedding: number
  readonly vector: Quantised
}

/** Vectors of hashes that no chunk has (yet) are kept as well; what has no direction is noted as impossible. */
export const putVectors = (database: Database, ids: NextIds, batch: VectorBatch): void => {
  const embedder = embedderId(database, batch.embedderId, batch.dimensions)
  const entries: Entry[] = []
  for (const [hash, vector] of batch.vectors) {
    if (vector !== null && vector.length !== batch.dimensions)
      throw wrongDimensions(batch.embedderId, batch.dimensions, vector.length)
    const embedding = embeddingId(database, ids, hash)
    const quantised = vector === null ? null : quantise(vector)
    if (quantised !== null) entries.push({ embedding, vector: quantised })
    noteEmbedded(database, embedder, embedding, quantised !== null)
  }
  writeBlocks(database, embedder, batch.dimensions, entries)
}

const embedderId = (database: Database, name: string, dimensions: number): number => {
  const known = database.get<{ id: number; dimensions: number }>(
    'SELECT id, dimensions FROM embedders WHERE name = ?',
    name,
  )
  if (known === undefined) {
    const id = (database.value<number | null>('SELECT max(id) FROM embedders') ?? 0) + 1
    database.run(
      'INSERT INTO embedders (id, name, dimensions, checksum) VALUES (?, ?, ?, ?)',
      ...[id, name, dimensions, checksum(id, name, dimensions)],
    )
    return id
  }
  if (known.dimensions !== dimensions) throw wrongDimensions(name, known.dimensions, dimensions)
  return known.id
}

const wrongDimensions = (embedder: string, expected: number, given: number): QuarryError =>
  new QuarryError(
    'MODEL_DAMAGED',
    `${embedder} has ${expected} dimensions, but gave a vector with ${given}`,
    {
      hint: 'quarry models verify',
    },
  )

const noteEmbedded = (database: Database, embedder: number, embedding: number, isUsable: boolean): void => {
  const usable = isUsable ? 1 : 0
  database.run(
    // What once had a vector keeps it.
    `INSERT OR ${isUsable ? 'REPLACE' : 'IGNORE'} INTO embedded (embedder, embedding, usable, checksum) VALUES (?, ?, ?, ?)`,
    ...[embedder, embedding, usable, checksum(embedder, embedding, usable)],
  )
}

const writeBlocks = (
  database: Database,
  embedder: number,
  dimensions: number,
  entries: readonly Entry[],
): void => {
  let number =
    database.value<number | null>('SELECT max(number) FROM vector_blocks WHERE embedder = ?', embedder) ?? 0
  for (let first = 0; first < entries.length; first += VECTORS_IN_A_BLOCK) {
    const block = entries.slice(first, first + VECTORS_IN_A_BLOCK)
    const vectors = new Uint8Array(block.length * dimensions)
    block.forEach(({ vector: { bytes } }, at) => {
      vectors.set(new Uint8Array(bytes.buffer, bytes.byteOffset, dimensions), at * dimensions)
    })
    const embeddings = bytesOf(Uint32Array.from(block, ({ embedding }) => embedding))
    const scales = bytesOf(Float32Array.from(block, ({ vector }) => vector.scale))
    number++
    database.run(
      'INSERT INTO vector_blocks (embedder, number, embeddings, scales, vectors, checksum) VALUES (?, ?, ?, ?, ?, ?)',
      ...[embedder, number, embeddings, scales, vectors],
      checksum(embedder, number, embeddings, scales, vectors),
    )
  }
}

const bytesOf = (array: Uint32Array | Float32Array): Uint8Array => new Uint8Array(array.buffer)

/**
 * Vectors of text that is no longer in the index stay, so that an edit undone costs nothing, until they outnumber those in use:
 * which is counted when text went away, because counting takes longer than looking at a tree. True when some were removed or
 * moved.
 */
export const sweepVectors = (database: Database, hasDropped: boolean): boolean => {
  const isCrowded = hasDropped && isMostlyDead(database)
  if (isCrowded) {
    const dead = 'embedding NOT IN (SELECT embedding FROM chunks WHERE embedding IS NOT NULL)'
    database.run(`DELETE FROM embedded WHERE ${dead}`)
    database.run(
      `DELETE FROM embeddings WHERE id NOT IN (SELECT embedding FROM chunks WHERE embedding IS NOT NULL)`,
    )
  }
  const embedders = database.all<{ id: number; dimensions: number }>('SELECT id, dimensions FROM embedders')
  const scattered = embedders.filter(({ id }) => isCrowded || isScattered(database, id))
  for (const { id, dimensions } of scattered) rewriteBlocks(database, id, dimensions)
  return scattered.length > 0
}

const isMostlyDead = (database: Database): boolean => {
  const total = database.value<number>('SELECT count(*) FROM embeddings')
  const live = database.value<number>(
    // Said, so that the index of embeddings is read and not the table.
    'SELECT count(DISTINCT embedding) FROM chunks WHERE embedding IS NOT NULL',
  )
  return total - live > live
}

/** Many small commits leave many small blocks, which are slow to read. */
const isScattered = (database: Database, embedder: number): boolean => {
  const [blocks, vectors] = database.tuples<[number, number]>(
    'SELECT count(*), coalesce(sum(length(embeddings)), 0) / 4 FROM vector_blocks WHERE embedder = ?',
    embedder,
  )[0]!
  return blocks > 64 + (4 * vectors) / VECTORS_IN_A_BLOCK
}

const rewriteBlocks = (database: Database, embedder: number, dimensions: number): void => {
  const wanted = new Set(
    database
      .all<{ embedding: number }>('SELECT embedding FROM embedded WHERE embedder = ? AND usable', embedder)
      .map(({ embedding }) => embedding),
  )
  const entries = new Map<number, Entry>()
  const blocks = database.all<{ embeddings: Uint8Array; scales: Uint8Array; vectors: Uint8Array }>(
    'SELECT embeddings, scales, vectors FROM vector_blocks WHERE embedder = ? ORDER BY number',
    embedder,
  )
  for (const block of blocks) {
    const scales = new Float32Array(block.scales.slice().buffer)
    new Uint32Array(block.embeddings.slice().buffer).forEach((embedding, at) => {
      const bytes = new Int8Array(block.vectors.slice(at * dimensions, (at + 1) * dimensions).buffer)
      if (wanted.has(embedding)) entries.set(embedding, { embedding, vector: { bytes, scale: scales[at]! } })
    })
  }
  database.run('DELETE FROM vector_blocks WHERE embedder = ?', embedder)
  writeBlocks(database, embedder, dimensions, [...entries.values()])
}
