/** All vectors of one embedder in memory, read from their blocks once and added to as new blocks appear. */

import type { Database } from './database.js'
import {
  createKernel,
  createMemory,
  type DotKernel,
  PAGE_BYTES,
  QUESTION_AT,
  RESULTS_AT,
  ROWS_AT,
  ROWS_IN_A_CALL,
} from './dot-kernel.js'
import type { Quantised } from './quantise.js'

export interface VectorMatrix {
  readonly dimensions: number
  /** Row of an embedding, or −1. */
  rowOf(embedding: number): number
  /** Reads the blocks that came since. */
  refresh(database: Database, embedder: number): void
  readonly rows: number
  /**
   * Cosine of the question with every row, to the precision of bytes. Only rows that reach the floor are visited; each visit says
   * how high the floor is from there on.
   */
  scan(question: Quantised, visit: (row: number, cosine: number) => number): void
  /** Cosine with one row, the question at full precision. */
  cosine(question: Float32Array, row: number): number
  /** Cosine with the row as `vector` gives it out. */
  similarity(question: Float32Array, row: number): number
  /** The row as a unit vector. */
  vector(row: number): Float32Array
}

interface BlockRow {
  readonly number: number
  readonly embeddings: Uint8Array
  readonly scales: Uint8Array
  readonly vectors: Uint8Array
}

export const createMatrix = (dimensions: number): VectorMatrix => {
  const stride = Math.ceil(dimensions / 16) * 16
  const memory = createMemory()
  const kernel: DotKernel = createKernel(memory)
  /** Row of each embedding, or −1; embeddings are numbered from 1 without large gaps. */
  let rows = new Int32Array(1024).fill(-1)
  let scales = new Float32Array(1024)
  let count = 0
  let lastBlock = 0

  /** All rows as they lie in memory; a view of them for each row would be thousands for every question. */
  let bytes = new Int8Array(memory.buffer)
  const allBytes = (): Int8Array => {
    if (bytes.buffer !== memory.buffer) bytes = new Int8Array(memory.buffer)
    return bytes
  }

  const rowOf = (embedding: number): number => rows[embedding] ?? -1
  const makeRoom = (added: number, highest: number): void => {
    const needed = Math.ceil((ROWS_AT + (count + added) * stride) / PAGE_BYTES)
    const present = memory.buffer.byteLength / PAGE_BYTES
    // A quarter more than needed: growing moves the whole matrix.
    if (needed > present) memory.grow(Math.max(needed, Math.ceil(needed * 1.25)) - present)
    if (count + added > scales.length) {
      const larger = new Float32Array(Math.max(count + added, scales.length * 2))
      larger.set(scales)
      scales = larger
    }
    if (highest >= rows.length) {
      const larger = new Int32Array(Math.max(highest + 1, rows.length * 2)).fill(-1)
      larger.set(rows)
      rows = larger
    }
  }
  const addBlock = (block: BlockRow, lastEmbedding: number): void => {
    const embeddings = new Uint32Array(copyOf(block.embeddings))
    const blockScales = new Float32Array(copyOf(block.scales))
    const highest = embeddings.reduce((one, other) => Math.max(one, other), 0)
    const isWhole =
      block.vectors.length === embeddings.length * dimensions && blockScales.length === embeddings.length
    // An id that cannot be would ask for gigabytes below.
    if (!isWhole || highest > lastEmbedding) throw new Error('a block of vectors is malformed')
    makeRoom(embeddings.length, highest)
    const matrix = new Uint8Array(memory.buffer, ROWS_AT)
    // Nearly always a block holds new rows only and fits as it is.
    const isPlain = stride === dimensions && embeddings.every(embedding => rowOf(embedding) < 0)
    if (isPlain) matrix.set(block.vectors, count * stride)
    for (let at = 0; at < embeddings.length; at++) {
      // An embedding saved again replaces its row.
      const embedding = embeddings[at]!
      const known = rowOf(embedding)
      const row = known < 0 ? count++ : known
      rows[embedding] = row
      scales[row] = blockScales[at]!
      if (!isPlain) matrix.set(block.vectors.subarray(at * dimensions, (at + 1) * dimensions), row * stride)
    }
    lastBlock = block.number
  }

  return {
    dimensions,
    rowOf,
    refresh: (database, embedder) => {
      const sql =
        'SELECT number, embeddings, scales, vectors FROM vector_blocks WHERE embedder = ? AND number > ? ORDER BY number LIMIT 64'
      const lastEmbedding = database.value<number | null>('SELECT max(id) FROM embeddings') ?? 0
      for (;;) {
        const blocks = database.all<BlockRow>(sql, embedder, lastBlock)
        for (const block of blocks) addBlock(block, lastEmbedding)
        if (blocks.length < 64) return
      }
    },
    get rows() {
      return count
    },
    scan: (question, visit) => {
      new Int16Array(memory.buffer, QUESTION_AT, stride).fill(0).set(question.bytes)
      let floor = Number.NEGATIVE_INFINITY
      for (let first = 0; first < count; first += ROWS_IN_A_CALL) {
        const inCall = Math.min(ROWS_IN_A_CALL, count - first)
        kernel(ROWS_AT + first * stride, inCall, stride)
        const dots = new Int32Array(memory.buffer, RESULTS_AT, inCall)
        floor = visitReaching(
          dots,
          scales.subarray(first, first + inCall),
          question.scale,
          floor,
          (at, cosine) => visit(first + at, cosine),
        )
      }
    },
    cosine: (question, row) => {
      const all = allBytes()
      const start = ROWS_AT + row * stride
      let sum = 0
      for (let at = 0; at < dimensions; at++) sum += question[at]! * all[start + at]!
      return sum * scales[row]!
    },
    similarity: (question, row) => {
      const all = allBytes()
      const start = ROWS_AT + row * stride
      const scale = scales[row]!
      let sum = 0
      for (let at = 0; at < dimensions; at++) sum += question[at]! * Math.fround(all[start + at]! * scale)
      return sum
    },
    vector: row => {
      const start = ROWS_AT + row * stride
      const vector = new Float32Array(allBytes().subarray(start, start + dimensions))
      const scale = scales[row]!
      for (let at = 0; at < dimensions; at++) vector[at]! *= scale
      return vector
    },
  }
}

/** A function of its own: it is what V8 compiles, and it sees nothing that could change under it. */
const visitReaching = (
  dots: Int32Array,
  scales: Float32Array,
  scale: number,
  lowest: number,
  visit: (at: number, cosine: number) => number,
): number => {
  let floor = lowest
  for (let at = 0; at < dots.length; at++) {
    const cosine = Math.fround(dots[at]! * scales[at]! * scale)
    if (cosine >= floor) floor = visit(at, cosine)
  }
  return floor
}

/** Blobs may begin anywhere in a buffer; arrays of wider numbers may not. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer
