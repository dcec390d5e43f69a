/** The vector lane: every vector of an embedder against the question, then the best ones again at full precision. */

import { QuarryError } from '../../../core/errors.js'
import type { Ranked } from '../../../core/questions.js'
import type { ChunkId } from '../../../core/types.js'
import { keepBest, wholeLimit } from './best.js'
import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { type Quantised, quantise } from './quantise.js'
import { createMatrix, type VectorMatrix } from './vector-matrix.js'

/** What changes when there is something new to read. */
export interface Generations {
  readonly text: number
  readonly vector: number
  readonly sweep: number
  /** Since this generation of the text no chunk was removed. */
  readonly intactSince: number
  /** The highest id that a chunk has, or had. */
  readonly lastChunk: number
}

export interface VectorLane {
  nearest(embedder: string, question: Float32Array, allowed: Uint8Array | null, limit: number): Ranked[]
  vectors(embedder: string, ids: readonly ChunkId[]): Map<ChunkId, Float32Array>
  cosines(embedder: string, question: Float32Array, ids: readonly ChunkId[]): Map<ChunkId, number>
}

interface EmbedderRow {
  readonly id: number
  readonly dimensions: number
}

interface Loaded {
  readonly matrix: VectorMatrix
  readonly generations: Generations
  /** Chunks that have a vector, and the row of each. */
  readonly ids: Uint32Array
  readonly rows: Uint32Array
  /** By row the place of its last chunk in `ids`, or −1; by that place the one before it of the same row: equal texts share a row. */
  readonly lastOf: Int32Array
  readonly before: Int32Array
  /** No chunk that could have a vector is without: none of them can get one later. */
  readonly isComplete: boolean
}

/** Called inside a read transaction; keeps its matrices between calls. */
export const vectorLane = (database: Database, generations: () => Generations): VectorLane => {
  const loaded = new Map<string, Loaded>()

  const load = (embedder: string): Loaded | undefined => {
    const now = generations()
    const before = loaded.get(embedder)
    if (before && isSame(before.generations, now)) return before
    const row = database.get<EmbedderRow>('SELECT id, dimensions FROM embedders WHERE name = ?', embedder)
    if (row === undefined) return undefined
    const isKept = before !== undefined && before.generations.sweep === now.sweep
    const matrix = isKept ? before.matrix : createMatrix(row.dimensions)
    matrix.refresh(database, row.id)
    const canGrow = isKept && before.isComplete && now.intactSince <= before.generations.text
    const next = { matrix, generations: now, ...placeChunks(database, matrix, canGrow ? before : null) }
    loaded.set(embedder, next)
    return next
  }

  return {
    nearest: (embedder, question, allowed, limit) => {
      const found = load(embedder)
      const wanted = wholeLimit(limit)
      if (found === undefined || wanted === 0) return []
      const { matrix } = found
      refuseOtherLength(embedder, question, matrix)
      const quantised = quantise(question)
      if (quantised === null) return []
      // Twice as many as wanted: bytes may put neighbours in the wrong order, never far from their place.
      const best = keepBest(wanted)
      for (const { id } of likeliest(quantised, found, allowed, 2 * wanted + 32))
        best.offer(id, matrix.cosine(question, rowOfChunk(found, id)))
      return best.sorted()
    },
    vectors: (embedder, ids) => {
      const found = load(embedder)
      if (found === undefined) return new Map()
      return ofEach(found, ids, row => found.matrix.vector(row))
    },
    cosines: (embedder, question, ids) => {
      const found = load(embedder)
      if (found === undefined) return new Map()
      refuseOtherLength(embedder, question, found.matrix)
      return ofEach(found, ids, row => found.matrix.similarity(question, row))
    },
  }
}

const refuseOtherLength = (
  embedder: string,
  { length }: Float32Array,
  { dimensions }: VectorMatrix,
): void => {
  if (length === dimensions) return
  throw new QuarryError(
    'MODEL_DAMAGED',
    `${embedder} gave ${length} dimensions, its vectors in the index have ${dimensions}`,
    { hint: 'quarry models verify' },
  )
}

const likeliest = (
  question: Quantised,
  { matrix, ids, lastOf, before }: Loaded,
  allowed: Uint8Array | null,
  limit: number,
): Ranked[] => {
  const best = keepBest(limit)
  let floor = Number.NEGATIVE_INFINITY
  matrix.scan(question, (row, cosine) => {
    for (let place = lastOf[row]!; place >= 0; place = before[place]!) {
      const id = ids[place]!
      if (allowed === null || allowed[id] === 1) floor = best.offer(id, cosine)
    }
    return floor
  })
  return best.sorted()
}

const isSame = (one: Generations, other: Generations): boolean =>
  one.text === other.text && one.vector === other.vector && one.sweep === other.sweep

/** Where chunks were only added since, those behind the last one. */
const placeChunks = (
  database: Database,
  matrix: VectorMatrix,
  since: Loaded | null,
): Omit<Loaded, 'matrix' | 'generations'> => {
  const lists = database.get<{ ids: string | null; embeddings: string | null }>(
    `SELECT group_concat(id) AS ids, group_concat(embedding) AS embeddings
     FROM chunks NOT INDEXED WHERE embedding IS NOT NULL AND id > ?`,
    since?.generations.lastChunk ?? 0,
  )
  const ids = parseNumbers(lists?.ids ?? null)
  const embeddings = parseNumbers(lists?.embeddings ?? null)
  let count = since?.ids.length ?? 0
  const most = count + ids.length
  const placed = new Uint32Array(most)
  const rows = new Uint32Array(most)
  const before = new Int32Array(most)
  const lastOf = new Int32Array(matrix.rows).fill(-1)
  if (since !== null) {
    placed.set(since.ids)
    rows.set(since.rows)
    before.set(since.before.subarray(0, count))
    lastOf.set(since.lastOf)
  }
  for (let at = 0; at < ids.length; at++) {
    const row = matrix.rowOf(embeddings[at]!)
    if (row < 0) continue
    placed[count] = ids[at]!
    rows[count] = row
    before[count] = lastOf[row]!
    lastOf[row] = count++
  }
  return {
    ids: placed.subarray(0, count),
    rows: rows.subarray(0, count),
    ...{ lastOf, before, isComplete: count === most },
  }
}

/** What `work` makes of the row of each chunk that has one. */
const ofEach = <Result>(
  found: Loaded,
  ids: readonly ChunkId[],
  work: (row: number) => Result,
): Map<ChunkId, Result> => {
  const made = new Map<ChunkId, Result>()
  for (const id of ids) {
    const row = rowOfChunk(found, id)
    if (row >= 0) made.set(id, work(row))
  }
  return made
}

/** Chunks come sorted by id, so each is found by halving; −1 for one without a vector. */
const rowOfChunk = ({ ids, rows }: Loaded, id: ChunkId): number => {
  let low = 0
  let high = ids.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return ids[low] === id ? rows[low]! : -1
}
