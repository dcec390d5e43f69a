/** Documents into the index and out of it. Everything here runs inside a transaction of the writer. */

import type {
  ChunkKind,
  PreparedChunk,
  PreparedDocument,
  Skipped,
  SourceDocument,
} from '../../../core/types.js'
import { checksum } from './checksum.js'
import type { Database } from './database.js'
import { escapeNul } from './escape-nul.js'
import { readState } from './state.js'
import { encodeSymbols } from './stored-chunks.js'
import { prepareWords } from './words.js'

/** With 11 segments the text lane takes 1.4 times as long as with one; merging a hundred thousand chunks takes half a second. */
const MOST_SEGMENTS = 6
/** About ten milliseconds' worth. */
const PAGES_MERGED = 300

/** Chosen here and not by SQLite, because the checksum of a row covers its id. */
export interface NextIds {
  documents: number
  chunks: number
  embeddings: number
}

/** To be asked for once in a transaction. */
export const nextIds = (database: Database): NextIds => {
  const highest = (table: 'documents' | 'embeddings'): number =>
    database.value<number | null>(`SELECT max(id) FROM ${table}`) ?? 0
  return {
    documents: highest('documents') + 1,
    chunks: readState(database).last_chunk + 1,
    embeddings: highest('embeddings') + 1,
  }
}

/** Replaces the document of this path, or adds it. True when there was one. */
export const putDocument = (
  database: Database,
  ids: NextIds,
  { document, chunks }: PreparedDocument,
): boolean => {
  const isReplaced = dropDocument(database, document.kind, document.path)
  const id = ids.documents++
  insertDocument(database, id, document, chunks)
  chunks.forEach((chunk, ordinal) => {
    insertChunk(database, ids, { document: id, ordinal, chunk })
  })
  return isReplaced
}

/** True when there was one. */
export const dropDocument = (database: Database, kind: ChunkKind, path: string): boolean => {
  const id = database.value<number | undefined>(
    'SELECT id FROM documents WHERE kind = ? AND path = ?',
    kind,
    path,
  )
  if (id === undefined) return false
  database.run('DELETE FROM words WHERE rowid IN (SELECT id FROM chunks WHERE document = ?)', id)
  // Takes chunks and texts along.
  database.run('DELETE FROM documents WHERE id = ?', id)
  return true
}

interface DocumentRow {
  readonly id: number
  readonly kind: string
  readonly path: string
  readonly language: string
  readonly content_hash: string
  readonly stamp: string
  readonly time: number
  readonly chunks: number
  readonly commit: string | null
  readonly places: string | null
  readonly omitted: string | null
}

export const DOCUMENT_COLUMNS = [
  'id',
  'kind',
  'path',
  'language',
  'content_hash',
  'stamp',
  'time',
  'chunks',
  'commit',
  'places',
  'omitted',
] as const satisfies readonly (keyof DocumentRow)[]

const COLUMN_LIST = DOCUMENT_COLUMNS.map(column => `"${column}"`).join(', ')

const documentChecksum = (row: DocumentRow): number =>
  checksum(...DOCUMENT_COLUMNS.map(column => row[column]))

export const restampDocument = (database: Database, kind: ChunkKind, path: string, stamp: string): void =>
  changeDocuments(database, { stamp }, 'kind = ? AND path = ?', kind, path)

/** What no file has: the next run reads and cuts every document of this kind again. */
export const forgetContents = (database: Database, kind: ChunkKind): void =>
  changeDocuments(database, { stamp: 'outdated', content_hash: 'outdated' }, 'kind = ?', kind)

const changeDocuments = (
  database: Database,
  changes: { readonly stamp: string; readonly content_hash?: string },
  where: string,
  ...parameters: readonly string[]
): void => {
  const rows = database.all<DocumentRow>(`SELECT ${COLUMN_LIST} FROM documents WHERE ${where}`, ...parameters)
  for (const before of rows) {
    const row = { ...before, ...changes }
    database.run(
      'UPDATE documents SET stamp = ?, content_hash = ?, checksum = ? WHERE id = ?',
      row.stamp,
      row.content_hash,
      documentChecksum(row),
      row.id,
    )
  }
}

export const replaceSkipped = (database: Database, kind: ChunkKind, skipped: readonly Skipped[]): void => {
  database.run('DELETE FROM skipped WHERE kind = ?', kind)
  for (const { path, reason, detail = null, stamp = null } of skipped) {
    database.run(
      'INSERT INTO skipped (kind, path, reason, detail, stamp, checksum) VALUES (?, ?, ?, ?, ?, ?)',
      kind,
      path,
      reason,
      detail,
      stamp,
      checksum(kind, path, reason, detail, stamp),
    )
  }
}

/**
 * Every commit adds a segment to the full-text index, and a look-up visits them all. The small ones of a few edits are put
 * together first: to write all into one takes most of a second where there are hundreds of thousands of chunks.
 */
export const mergeWords = (database: Database): void => {
  const isCrowded = (): boolean =>
    database.value<number>('SELECT count(DISTINCT segid) FROM words_idx') > MOST_SEGMENTS
  if (!isCrowded()) return
  database.run("INSERT INTO words (words, rank) VALUES ('usermerge', 2)")
  database.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", PAGES_MERGED)
  if (isCrowded()) database.run("INSERT INTO words (words) VALUES ('optimize')")
}

/** The row of what embedders read, made when it is new. */
export const embeddingId = (database: Database, ids: NextIds, hash: string): number => {
  const known = database.value<number | undefined>('SELECT id FROM embeddings WHERE hash = ?', hash)
  if (known !== undefined) return known
  const id = ids.embeddings++
  database.run('INSERT INTO embeddings (id, hash, checksum) VALUES (?, ?, ?)', id, hash, checksum(id, hash))
  return id
}

const insertDocument = (
  database: Database,
  id: number,
  document: SourceDocument,
  chunks: readonly PreparedChunk[],
): void => {
  const { kind, path, language, contentHash, stamp, time, commit, omitted = [] } = document
  const row: DocumentRow = {
    ...{ id, kind, path, language, content_hash: contentHash, stamp, time, chunks: chunks.length },
    commit: commit === undefined ? null : JSON.stringify(commit),
    places: placesOf(chunks),
    omitted: omitted.length === 0 ? null : JSON.stringify(omitted),
  }
  database.run(
    `INSERT INTO documents (${COLUMN_LIST}, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...DOCUMENT_COLUMNS.map(column => row[column]),
    documentChecksum(row),
  )
}

/** Null for a document whose chunks lie where it lies. */
const placesOf = (chunks: readonly PreparedChunk[]): string | null => {
  const places = new Set(chunks.flatMap(({ file }) => (file ? [file.path, file.oldPath ?? file.path] : [])))
  return places.size === 0 ? null : JSON.stringify([...places])
}

interface PlacedChunk {
  readonly document: number
  readonly ordinal: number
  readonly chunk: PreparedChunk
}

const insertChunk = (database: Database, ids: NextIds, { document, ordinal, chunk }: PlacedChunk): void => {
  const id = ids.chunks++
  const embedding = chunk.embeddingHash === null ? null : embeddingId(database, ids, chunk.embeddingHash)
  const words = chunk.tokens && prepareWords(chunk.tokens)
  const [lengths, moreLengths] = words?.lengths ?? [0, 0]
  const sum = words?.sum ?? null
  const { startLine, endLine, digest } = chunk
  const file = chunk.file ? JSON.stringify(chunk.file) : null
  const header = escapeNul(chunk.header)
  const text = escapeNul(chunk.text)
  const symbols = encodeSymbols(chunk.symbols)
  database.run(
    `INSERT INTO chunks (id, document, ordinal, embedding, lengths, more_lengths, words, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, document, ordinal, embedding, lengths, moreLengths, sum],
    checksum(id, document, ordinal, embedding, lengths, moreLengths, sum),
  )
  database.run(
    `INSERT INTO texts (chunk, start_line, end_line, digest, file, header, symbols, text, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, startLine, endLine, digest, file, header, symbols, text],
    checksum(id, startLine, endLine, digest, file, header, symbols, text),
  )
  if (words) database.run('INSERT INTO words (rowid, postings) VALUES (?, ?)', id, words.postings)
}
