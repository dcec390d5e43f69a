/** How much each field of each chunk counts for its length: long texts hold many words by chance. */

import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { unpackLengths } from './words.js'

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
const FIELDS = ['body', 'header', 'path', 'symbols'] as const

export const loadLengthNorms = (database: Database): LengthNorms => {
  const row = database.get<{ ids: string | null; lengths: string | null; last: number | null }>(
    "SELECT group_concat(id, ' ') AS ids, group_concat(lengths, ' ') AS lengths, max(id) AS last FROM chunks NOT INDEXED",
  )
  const ids = parseNumbers(row?.ids ?? null)
  const lengths = parseNumbers(row?.lengths ?? null)
  const size = (row?.last ?? 0) + 1
  const fieldArrays = FIELDS.map(() => new Float32Array(size)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const totals = [0, 0, 0, 0]
  for (let at = 0; at < ids.length; at++) {
    const counted = unpackLengths(lengths[at]!)
    for (let field = 0; field < 4; field++) {
      const length = counted[FIELDS[field]!]
      fieldArrays[field]![ids[at]!] = length
      totals[field]! += length
    }
  }
  for (let field = 0; field < 4; field++) {
    const share = CORRECTION[FIELDS[field]!]
    const average = Math.max(totals[field]! / Math.max(ids.length, 1), 1)
    const array = fieldArrays[field]!
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!
      array[id] = 1 / (1 - share + (share * array[id]!) / average)
    }
  }
  const [body, header, path, symbols] = fieldArrays
  return { chunks: ids.length, size, body, header, path, symbols }
}
