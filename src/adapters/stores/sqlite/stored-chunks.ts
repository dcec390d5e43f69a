/** Rows of documents and chunks, read back as the core knows them. */

import type { KnownDocument } from '../../../core/ports.js'
import type {
  ChangedFile,
  ChunkBeside,
  ChunkKind,
  CodeSymbol,
  CommitFacts,
  Skipped,
  SkipReason,
  StoredChunk,
} from '../../../core/types.js'
import type { Database, Parameter } from './database.js'
import { unescapeNul } from './escape-nul.js'
import { damaged } from './failures.js'
import { parseNumbers } from './numbers.js'

/** A tuple, because a question reads a hundred of them: named columns would take half as long again. */
type ChunkRow = readonly [
  id: number,
  ordinal: number,
  kind: ChunkKind,
  path: string,
  language: string,
  time: number,
  siblings: number,
  startLine: number,
  endLine: number,
  digest: string,
  file: string | null,
  header: string,
  symbols: string,
  text: string,
  hash: string | null,
  commit: string | null,
]

const CHUNKS = `
  SELECT chunks.id, chunks.ordinal, documents.kind, documents.path, documents.language, documents.time,
    documents.chunks, texts.start_line, texts.end_line, texts.digest, texts.file, texts.header, texts.symbols, texts.text,
    embeddings.hash, documents."commit"
  FROM chunks
  JOIN documents ON documents.id = chunks.document
  JOIN texts ON texts.chunk = chunks.id
  LEFT JOIN embeddings ON embeddings.id = chunks.embedding`

/** In the order asked for; a number that is no chunk is left out. */
export const chunksById = (database: Database, ids: readonly number[]): StoredChunk[] => {
  const list = JSON.stringify(ids.filter(Number.isSafeInteger))
  const found = selectChunks(database, 'WHERE chunks.id IN (SELECT value FROM json_each(?))', list)
  const byId = new Map(found.map(chunk => [chunk.id, chunk]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** Of chunks that were read before, those beside them; each once. What is known is not read again. */
export const chunksBeside = (
  database: Database,
  of: readonly StoredChunk[],
  before: number,
  after: number,
  known: (id: number) => ChunkBeside | undefined,
): { readonly old: readonly ChunkBeside[]; readonly fresh: readonly ChunkBeside[] } => {
  const places = placesBeside(database, of, before, after)
  const old: ChunkBeside[] = []
  const missing: number[] = []
  for (const id of places.keys()) {
    const chunk = known(id)
    if (chunk === undefined) missing.push(id)
    else old.push(chunk)
  }
  const fresh = database
    .tuples<[id: number, symbols: string, text: string]>(
      'SELECT chunk, symbols, text FROM json_each(?) JOIN texts ON texts.chunk = value',
      JSON.stringify(missing),
    )
    .map(([id, symbols, text]) => ({
      id,
      ...places.get(id)!,
      symbols: decodeSymbols(symbols, database.path),
      text: unescapeNul(text),
    }))
  return { old, fresh }
}

/**
 * The document and the place in it of the chunks and of so many before and after each. As numbers, and the name of a document is
 * that of the chunk which was asked for: joining the tables and reading the names again would take twice as long.
 */
const placesBeside = (
  database: Database,
  of: readonly StoredChunk[],
  before: number,
  after: number,
): ReadonlyMap<number, Pick<StoredChunk, 'document' | 'ordinal'>> => {
  const row = database.get<Record<'asked' | 'ids' | 'ordinals', string | null>>(
    `SELECT group_concat(one.id) AS asked, group_concat(beside.id) AS ids, group_concat(beside.ordinal) AS ordinals
     FROM json_each(?) JOIN chunks AS one ON one.id = value
     JOIN chunks AS beside ON beside.document = one.document AND beside.ordinal BETWEEN one.ordinal - ? AND one.ordinal + ?`,
    JSON.stringify(of.map(({ id }) => id)),
    before,
    after,
  )
  const asked = parseNumbers(row?.asked ?? null)
  const ids = parseNumbers(row?.ids ?? null)
  const ordinals = parseNumbers(row?.ordinals ?? null)
  const documents = new Map(of.map(({ id, document }) => [id, document]))
  const places = new Map<number, { document: string; ordinal: number }>()
  for (let at = 0; at < ids.length; at++)
    if (!places.has(ids[at]!))
      places.set(ids[at]!, { document: documents.get(asked[at]!)!, ordinal: ordinals[at]! })
  return places
}

/** Of the documents of this path, which may be of several kinds, the first kind's. */
export const chunksOfPath = (database: Database, path: string): StoredChunk[] =>
  selectNamed(
    database,
    `WHERE chunks.document = (SELECT id FROM documents WHERE path = ? ORDER BY kind LIMIT 1) ORDER BY chunks.ordinal`,
    path,
  )

export const chunksOfDigest = (database: Database, digest: string): StoredChunk[] => {
  const [, document, ordinal] = /^(.+)\.(\d{1,9})$/s.exec(digest) ?? []
  const named = selectNamed(
    database,
    'WHERE texts.digest = ? AND texts.file IS NULL ORDER BY chunks.id',
    digest,
  )
  if (named.length > 0 || document === undefined) return named
  return chunksOfPath(database, document).filter(chunk => chunk.file && chunk.ordinal === Number(ordinal))
}

/** By the list of places that each commit carries: what lies elsewhere is not read. */
export const hunksAtPaths = (database: Database, paths: readonly string[], limit: number): StoredChunk[] => {
  const times = new Map<number, number>()
  for (const path of paths) {
    const rows = database.all<{ id: number; time: number }>(
      'SELECT id, time FROM documents WHERE instr(places, ?) > 0',
      JSON.stringify(path),
    )
    for (const { id, time } of rows) times.set(id, time)
  }
  const newest = [...times].sort(([, one], [, other]) => other - one).slice(0, limit)
  const documents = JSON.stringify(newest.map(([id]) => id))
  const where = 'WHERE chunks.document IN (SELECT value FROM json_each(?)) AND instr(texts.file, ?) > 0'
  const found = paths.flatMap(path => selectChunks(database, where, documents, JSON.stringify(path)))
  return [...new Map(found.map(chunk => [chunk.id, chunk])).values()].sort(
    (one, other) =>
      other.time - one.time || compare(one.document, other.document) || one.ordinal - other.ordinal,
  )
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** No name in the index holds a NUL, and none that does may reach the driver. */
const selectNamed = (database: Database, where: string, name: string): StoredChunk[] =>
  name.includes('\u0000') ? [] : selectChunks(database, where, name)

const selectChunks = (
  database: Database,
  where: string,
  ...parameters: readonly Parameter[]
): StoredChunk[] =>
  withFacts(database.tuples<ChunkRow>(`${CHUNKS} ${where}`, ...parameters), database.path, (row, commit) => {
    // By number: taking a tuple apart by name costs as much as reading it.
    const file = decode<ChangedFile>(row[10], database.path)
    return {
      id: row[0],
      digest: row[9],
      kind: row[2],
      path: file?.path ?? row[3],
      document: row[3],
      language: file?.language ?? row[4],
      ...(file && { file }),
      ...(commit && { commit }),
      time: row[5],
      embeddingHash: row[14],
      ordinal: row[1],
      siblings: row[6],
      startLine: row[7],
      endLine: row[8],
      text: unescapeNul(row[13]),
      header: unescapeNul(row[11]),
      symbols: decodeSymbols(row[12], database.path),
    }
  })

/** The hunks of a commit come together: its facts are decoded once. */
const withFacts = <Result>(
  rows: readonly ChunkRow[],
  path: string,
  work: (row: ChunkRow, commit: CommitFacts | null) => Result,
): Result[] => {
  let last: { readonly json: string | null; readonly facts: CommitFacts | null } = { json: null, facts: null }
  return rows.map(row => {
    const json = row[15]
    if (json !== last.json) last = { json, facts: decode(json, path) }
    return work(row, last.facts)
  })
}

type SymbolTuple = readonly [name: string, kind: string, qualifiedName: string, line: number]

export const encodeSymbols = (symbols: readonly CodeSymbol[]): string =>
  JSON.stringify(
    symbols.map(({ name, kind, qualifiedName, line }): SymbolTuple => [name, kind, qualifiedName, line]),
  )

export const decodeSymbols = (json: string, path: string): readonly CodeSymbol[] =>
  (decode<readonly SymbolTuple[]>(json, path) ?? []).map(([name, kind, qualifiedName, line]) => ({
    name,
    kind,
    qualifiedName,
    line,
  }))

const decode = <Value>(json: string | null, path: string): Value | null => {
  try {
    return json === null ? null : (JSON.parse(json) as Value)
  } catch (error) {
    throw damaged(path, 'a row cannot be read', error)
  }
}

export const knownDocuments = (database: Database, kind: ChunkKind): Map<string, KnownDocument> => {
  const known = new Map<string, KnownDocument>()
  // In the order of the table, for which the plus keeps the index by path out: following it takes twice as long.
  const rows = database.tuples<[path: string, stamp: string, contentHash: string]>(
    'SELECT path, stamp, content_hash FROM documents WHERE +kind = ?',
    kind,
  )
  for (const [path, stamp, contentHash] of rows) known.set(path, { stamp, contentHash })
  return known
}

interface SkippedRow {
  readonly path: string
  readonly reason: SkipReason
  readonly detail: string | null
  readonly stamp: string | null
}

/** Whole documents, and the parts that were left out of documents, under `document:part`. */
export const skippedDocuments = (database: Database): Skipped[] => {
  const whole = database
    .all<SkippedRow>('SELECT path, reason, detail, stamp FROM skipped ORDER BY path, id')
    .map(({ path, reason, detail, stamp }) => ({
      path,
      reason,
      ...(detail !== null && { detail }),
      ...(stamp !== null && { stamp }),
    }))
  const parts = database
    .all<{ path: string; omitted: string }>(
      'SELECT path, omitted FROM documents WHERE omitted IS NOT NULL ORDER BY path',
    )
    .flatMap(({ path, omitted }) =>
      decode<readonly Skipped[]>(omitted, database.path)!.map(part => ({
        ...part,
        path: `${path}:${part.path}`,
      })),
    )
  return [...whole, ...parts]
}
