/** How much each field of each chunk counts for its length: long texts hold many words by chance. */

import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { LENGTH_BITS } from './words.js'

/** By chunk id: what a token in this field is multiplied with. */
export interface LengthNorms {
  readonly chunks: number
  /** One more than the highest chunk id. */
  readonly size: number
  readonly body: Float32Array
  readonly header: Float32Array
  readonly path: Float32Array
  readonly symbols: Float32Array
}

/** Full correction would be 1. Names and paths are short by nature, so theirs is smaller; measured on the code-search set. */
const CORRECTION = { body: 0.75, header: 0.5, path: 0.5, symbols: 0.5 } as const

export const loadLengthNorms = (database: Database): LengthNorms => {
  const row = database.get<{ ids: string | null; lengths: string | null; last: number | null }>(
    `SELECT group_concat(id) AS ids, group_concat(lengths) AS lengths, max(id) AS last
     FROM chunks NOT INDEXED`,
  )
  const ids = parseNumbers(row?.ids ?? null)
  const lengths = parseNumbers(row?.lengths ?? null)
  const size = (row?.last ?? 0) + 1
  const normsOf = (field: keyof typeof CORRECTION): Float32Array => {
    const { shift, longest } = LENGTH_BITS[field]
    let total = 0
    for (let at = 0; at < lengths.length; at++) total += (lengths[at]! >>> shift) & longest
    const average = Math.max(total / Math.max(lengths.length, 1), 1)
    const share = CORRECTION[field]
    const norms = new Float32Array(size)
    for (let at = 0; at < ids.length; at++) {
      const length = (lengths[at]! >>> shift) & longest
      norms[ids[at]!] = 1 / (1 - share + (share * length) / average)
    }
    return norms
  }
  return {
    chunks: ids.length,
    size,
    body: normsOf('body'),
    header: normsOf('header'),
    path: normsOf('path'),
    symbols: normsOf('symbols'),
  }
}
