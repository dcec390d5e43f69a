/** The vector lane: every vector of an embedder against the question, then the best ones again at full precision. */

import { QuarryError } from '../../../core/errors.js'
import type { Ranked } from '../../../core/questions.js'
import type { ChunkId } from '../../../core/types.js'
import { keepBest, wholeLimit } from './best.js'
import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { quantise } from './quantise.js'
import { createMatrix, type VectorMatrix } from './vector-matrix.js'

/** What changes when there is something new to read. */
export interface Generations {
  readonly text: number
  readonly vector: number
  readonly sweep: number
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
    const next = { matrix, generations: now, ...placeChunks(database, matrix) }
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
      const candidates = bestRows(matrix.cosines(quantised), found, allowed, 2 * wanted + 32)
      const rowOf = new Map(rowsOfChunks(found, new Set(candidates.map(({ id }) => id))))
      const best = keepBest(wanted)
      for (const [id, row] of rowOf) best.offer(id, matrix.cosine(question, row))
      return best.sorted()
    },
    vectors: (embedder, ids) => {
      const found = load(embedder)
      if (found === undefined) return new Map()
      return new Map(rowsOfChunks(found, new Set(ids)).map(([id, row]) => [id, found.matrix.vector(row)]))
    },
    cosines: (embedder, question, ids) => {
      const found = load(embedder)
      if (found === undefined) return new Map()
      refuseOtherLength(embedder, question, found.matrix)
      return new Map(
        rowsOfChunks(found, new Set(ids)).map(([id, row]) => [id, found.matrix.similarity(question, row)]),
      )
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

const bestRows = (
  cosines: Float32Array,
  { ids, rows }: Loaded,
  allowed: Uint8Array | null,
  limit: number,
): Ranked[] => {
  const best = keepBest(limit)
  let floor = Number.NEGATIVE_INFINITY
  for (let at = 0; at < ids.length; at++) {
    const cosine = cosines[rows[at]!]!
    if (cosine < floor) continue
    const id = ids[at]!
    if (allowed === null || allowed[id] === 1) floor = best.offer(id, cosine)
  }
  return best.sorted()
}

const isSame = (one: Generations, other: Generations): boolean =>
  one.text === other.text && one.vector === other.vector && one.sweep === other.sweep

const placeChunks = (database: Database, matrix: VectorMatrix): { ids: Uint32Array; rows: Uint32Array } => {
  const lists = database.get<{ ids: string | null; embeddings: string | null }>(
    `SELECT group_concat(id) AS ids, group_concat(embedding) AS embeddings
     FROM chunks NOT INDEXED WHERE embedding IS NOT NULL`,
  )
  const ids = parseNumbers(lists?.ids ?? null)
  const embeddings = parseNumbers(lists?.embeddings ?? null)
  const placed = new Uint32Array(ids.length)
  const rows = new Uint32Array(ids.length)
  let count = 0
  for (let at = 0; at < ids.length; at++) {
    const row = matrix.rowOf(embeddings[at]!)
    if (row < 0) continue
    placed[count] = ids[at]!
    rows[count++] = row
  }
  return { ids: placed.subarray(0, count), rows: rows.subarray(0, count) }
}

/** Chunk rows come sorted by id, so each is found by halving. */
const rowsOfChunks = ({ ids, rows }: Loaded, wanted: ReadonlySet<ChunkId>): [ChunkId, number][] => {
  const found: [ChunkId, number][] = []
  for (const id of wanted) {
    let low = 0
    let high = ids.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (ids[middle]! < id) low = middle + 1
      else high = middle
    }
    if (ids[low] === id) found.push([id, rows[low]!])
  }
  return found
}
