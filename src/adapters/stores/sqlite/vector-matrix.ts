/** All vectors of one embedder in memory, read from their blocks once and added to as new blocks appear. */

import { QuarryError } from '../../../core/errors.js'
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
  /** Row of each embedding, or undefined. */
  rowOf(embedding: number): number | undefined
  /** Reads the blocks that came since. */
  refresh(database: Database, embedder: number): void
  /** Cosine of the question with every row, to the precision of bytes. */
  cosines(question: Quantised): Float32Array
  /** Cosine with one row, the question at full precision. */
  cosine(question: Float32Array, row: number): number
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
  const rows = new Map<number, number>()
  let scales = new Float32Array(1024)
  let count = 0
  let lastBlock = 0

  const makeRoom = (added: number): void => {
    const needed = Math.ceil((ROWS_AT + (count + added) * stride) / PAGE_BYTES)
    const present = memory.buffer.byteLength / PAGE_BYTES
    // A quarter more than needed: growing moves the whole matrix.
    if (needed > present) memory.grow(Math.max(needed, Math.ceil(needed * 1.25)) - present)
    if (count + added > scales.length) {
      const larger = new Float32Array(Math.max(count + added, scales.length * 2))
      larger.set(scales)
      scales = larger
    }
  }
  const addBlock = (block: BlockRow, path: string): void => {
    const embeddings = new Uint32Array(copyOf(block.embeddings))
    const blockScales = new Float32Array(copyOf(block.scales))
    if (block.vectors.length !== embeddings.length * dimensions || blockScales.length !== embeddings.length) {
      throw new QuarryError(
        'INDEX_DAMAGED',
        `The index ${path} is damaged: a block of vectors has the wrong length`,
        {
          hint: 'quarry index --rebuild',
        },
      )
    }
    makeRoom(embeddings.length)
    const matrix = new Uint8Array(memory.buffer, ROWS_AT)
    // Nearly always a block holds new rows only and fits as it is.
    const isPlain = stride === dimensions && embeddings.every(embedding => !rows.has(embedding))
    if (isPlain) matrix.set(block.vectors, count * stride)
    for (let at = 0; at < embeddings.length; at++) {
      // An embedding saved again replaces its row.
      const row = rows.get(embeddings[at]!) ?? count++
      rows.set(embeddings[at]!, row)
      scales[row] = blockScales[at]!
      if (!isPlain) matrix.set(block.vectors.subarray(at * dimensions, (at + 1) * dimensions), row * stride)
    }
    lastBlock = block.number
  }

  return {
    dimensions,
    rowOf: embedding => rows.get(embedding),
    refresh: (database, embedder) => {
      const sql =
        'SELECT number, embeddings, scales, vectors FROM vector_blocks WHERE embedder = ? AND number > ? ORDER BY number LIMIT 64'
      for (;;) {
        const blocks = database.all<BlockRow>(sql, embedder, lastBlock)
        for (const block of blocks) addBlock(block, database.path)
        if (blocks.length < 64) return
      }
    },
    cosines: question => {
      new Int8Array(memory.buffer, QUESTION_AT, stride).fill(0).set(question.bytes)
      const cosines = new Float32Array(count)
      for (let first = 0; first < count; first += ROWS_IN_A_CALL) {
        const inCall = Math.min(ROWS_IN_A_CALL, count - first)
        kernel(ROWS_AT + first * stride, inCall, stride)
        const dots = new Int32Array(memory.buffer, RESULTS_AT, inCall)
        for (let at = 0; at < inCall; at++)
          cosines[first + at] = dots[at]! * scales[first + at]! * question.scale
      }
      return cosines
    },
    cosine: (question, row) => {
      const bytes = new Int8Array(memory.buffer, ROWS_AT + row * stride, dimensions)
      let sum = 0
      for (let at = 0; at < dimensions; at++) sum += question[at]! * bytes[at]!
      return sum * scales[row]!
    },
    vector: row => {
      const vector = new Float32Array(new Int8Array(memory.buffer, ROWS_AT + row * stride, dimensions))
      const scale = scales[row]!
      for (let at = 0; at < dimensions; at++) vector[at]! *= scale
      return vector
    },
  }
}

/** Blobs may begin anywhere in a buffer; arrays of wider numbers may not. */
const copyOf = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer
