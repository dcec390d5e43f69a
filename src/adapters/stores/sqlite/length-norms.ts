/** How much each field of each chunk counts for its length: long texts hold many words by chance. */

import type { TextScoring } from '../../../core/ports.js'
import { FIELD_NAMES, type FieldName } from '../../../core/types.js'
import type { Database } from './database.js'
import { LENGTH_OF_BYTE, lengthBytes } from './lengths.js'
import { parseNumbers } from './numbers.js'

export interface ChunkLengths {
  readonly chunks: number
  /** One more than the highest chunk id. */
  readonly size: number
  norms(field: FieldName, correction: number, usual?: number): Norms
  /** The same with the chunks behind this one, where nothing else changed. */
  extended(database: Database, lastChunk: number): ChunkLengths
}

/** What a token in a field is multiplied with. Chunks of one length share it, and there are few lengths. */
export interface Norms {
  /** By chunk id the class of its length; 0 where there is no chunk. */
  readonly classes: Uint16Array
  /** By class. */
  readonly values: Float32Array
}

/** By field, for one way of scoring; fields that do not count are absent. */
export type FieldNorms = Readonly<Partial<Record<FieldName, Norms>>>

/** Side by side, in the order of the ids. */
interface Rows {
  readonly ids: Uint32Array
  /** Packed, four fields in each. */
  readonly first: Uint32Array
  readonly second: Uint32Array
}

export const loadLengths = (database: Database): ChunkLengths => lengthsOf(readRows(database, 0))

const readRows = (database: Database, after: number): Rows => {
  const row = database.get<Record<'ids' | 'first' | 'second', string | null>>(
    `SELECT group_concat(id) AS ids, group_concat(lengths) AS first, group_concat(more_lengths) AS second
     FROM chunks NOT INDEXED WHERE words IS NOT NULL AND id > ?`,
    after,
  )
  return {
    ids: parseNumbers(row?.ids ?? null),
    first: parseNumbers(row?.first ?? null),
    second: parseNumbers(row?.second ?? null),
  }
}

const lengthsOf = (rows: Rows): ChunkLengths => {
  const { ids } = rows
  const size = (ids.at(-1) ?? 0) + 1
  const classesOf = new Map<FieldName, Uint16Array>()
  const kept = new Map<string, Norms>()
  const classes = (field: FieldName): Uint16Array => {
    const known = classesOf.get(field)
    if (known !== undefined) return known
    const found = classesIn(rows, field, size)
    classesOf.set(field, found)
    return found
  }
  const average = (field: FieldName): number => {
    const own = classes(field)
    let total = 0
    for (let at = 0; at < ids.length; at++) total += LENGTH_OF_BYTE[own[ids[at]!]! - 1]!
    return Math.max(total / Math.max(ids.length, 1), 1)
  }
  return {
    chunks: ids.length,
    size,
    norms: (field, correction, usual) => {
      const key = `${field} ${correction} ${usual}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const norms = { classes: classes(field), values: valuesFor(correction, usual ?? average(field)) }
      kept.set(key, norms)
      return norms
    },
    extended: (database, lastChunk) => {
      const more = readRows(database, lastChunk)
      return lengthsOf({
        ids: joined(ids, more.ids),
        first: joined(rows.first, more.first),
        second: joined(rows.second, more.second),
      })
    },
  }
}

const classesIn = ({ ids, first, second }: Rows, field: FieldName, size: number): Uint16Array => {
  const { inFirst, shift } = lengthBytes(field)
  const packed = inFirst ? first : second
  const classes = new Uint16Array(size)
  for (let at = 0; at < ids.length; at++) classes[ids[at]!] = 1 + ((packed[at]! >>> shift) & 255)
  return classes
}

const valuesFor = (correction: number, usual: number): Float32Array => {
  const values = new Float32Array(1 + LENGTH_OF_BYTE.length)
  for (let byte = 0; byte < LENGTH_OF_BYTE.length; byte++)
    values[1 + byte] = 1 / (1 - correction + (correction * LENGTH_OF_BYTE[byte]!) / usual)
  return values
}

const joined = (before: Uint32Array, after: Uint32Array): Uint32Array => {
  const both = new Uint32Array(before.length + after.length)
  both.set(before)
  both.set(after, before.length)
  return both
}

export const normsFor = (
  lengths: ChunkLengths,
  { weights, lengthCorrection, usualLength }: TextScoring,
): FieldNorms =>
  Object.fromEntries(
    FIELD_NAMES.filter(field => (weights[field] ?? 0) > 0).map(field => [
      field,
      lengths.norms(field, lengthCorrection[field], usualLength?.[field]),
    ]),
  )
