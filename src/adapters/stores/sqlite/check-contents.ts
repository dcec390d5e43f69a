/** The deep half of `check`: every row against its checksum, every posting against its chunk, every vector against its length. */

import { checksum, type Value } from './checksum.js'
import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { STATE_COLUMNS } from './state.js'
import { hashWord } from './words.js'
import { DOCUMENT_COLUMNS } from './write-documents.js'

export const checkContents = (database: Database): string[] => [
  ...TABLES.flatMap(table => checkRows(database, table)),
  ...checkPostings(database),
  ...checkVectors(database),
]

/** Each table with the columns that its checksum covers, in order. */
const TABLES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['state', STATE_COLUMNS],
  ['documents', DOCUMENT_COLUMNS],
  ['chunks', ['id', 'document', 'ordinal', 'embedding', 'lengths', 'more_lengths', 'words']],
  ['texts', ['chunk', 'start_line', 'end_line', 'digest', 'file', 'header', 'symbols', 'text']],
  ['embeddings', ['id', 'hash']],
  ['embedders', ['id', 'name', 'dimensions']],
  ['embedded', ['embedder', 'embedding', 'usable']],
  ['vector_blocks', ['embedder', 'number', 'embeddings', 'scales', 'vectors']],
  ['skipped', ['kind', 'path', 'reason', 'detail', 'stamp']],
]

const checkRows = (database: Database, [table, columns]: (typeof TABLES)[number]): string[] => {
  let wrong = 0
  database.each<Record<string, Value>>(
    `SELECT ${columns.map(column => `"${column}"`).join(', ')}, checksum FROM ${table}`,
    row => {
      if (checksum(...columns.map(column => row[column] ?? null)) !== row.checksum) wrong++
    },
  )
  return wrong === 0 ? [] : [`${wrong} rows of ${table} are not as they were written`]
}

/** FTS5 keeps no copy of what it was given, so its own check cannot tell a wrong word from a right one. */
const checkPostings = (database: Database): string[] => {
  const sums = new Map<number, number>()
  database.each<{ term: string; chunks: string }>(
    'SELECT term, group_concat(doc) AS chunks FROM occurrences GROUP BY term',
    ({ term, chunks }) => {
      const hash = hashWord(term)
      for (const chunk of parseNumbers(chunks)) sums.set(chunk, (sums.get(chunk) ?? 0) + hash)
    },
  )
  let wrong = 0
  database.each<{ id: number; words: number | null }>('SELECT id, words FROM chunks', ({ id, words }) => {
    if ((sums.get(id) ?? 0) !== (words ?? 0)) wrong++
    sums.delete(id)
  })
  return wrong + sums.size === 0 ? [] : [`the full-text index is wrong about ${wrong + sums.size} chunks`]
}

interface BlockRow {
  readonly embedder: number
  readonly dimensions: number
  readonly embeddings: Uint8Array
  readonly scales: Uint8Array
  readonly vectors: Uint8Array
}

const checkVectors = (database: Database): string[] => {
  const findings: string[] = []
  const stored = new Set<string>()
  database.each<BlockRow>(
    `SELECT embedder, dimensions, embeddings, scales, vectors
     FROM vector_blocks JOIN embedders ON embedders.id = vector_blocks.embedder`,
    block => {
      const count = block.embeddings.length / 4
      if (block.vectors.length !== count * block.dimensions || block.scales.length !== count * 4) {
        findings.push('a block of vectors has the wrong length')
        return
      }
      const embeddings = new Uint32Array(block.embeddings.slice().buffer)
      const scales = new Float32Array(block.scales.slice().buffer)
      const bytes = new Int8Array(block.vectors.slice().buffer)
      for (let at = 0; at < count; at++) {
        stored.add(`${block.embedder}/${embeddings[at]}`)
        const length =
          lengthOf(bytes.subarray(at * block.dimensions, (at + 1) * block.dimensions)) * scales[at]!
        if (!(Math.abs(length - 1) < 1e-3)) findings.push(`a vector has the length ${length}`)
      }
    },
  )
  let missing = 0
  database.each<{ embedder: number; embedding: number }>(
    'SELECT embedder, embedding FROM embedded WHERE usable',
    ({ embedder, embedding }) => {
      if (!stored.delete(`${embedder}/${embedding}`)) missing++
    },
  )
  if (missing > 0) findings.push(`${missing} vectors are missing`)
  if (stored.size > 0) findings.push(`${stored.size} vectors belong to nothing`)
  return findings
}

const lengthOf = (bytes: Int8Array): number => Math.sqrt(bytes.reduce((sum, byte) => sum + byte * byte, 0))
