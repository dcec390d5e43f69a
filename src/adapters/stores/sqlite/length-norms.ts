/** How much each field of each chunk counts for its length: long texts hold many words by chance. */

import type { TextScoring } from '../../../core/ports.js'
import { FIELD_NAMES, type FieldName } from '../../../core/types.js'
import type { Database } from './database.js'
import { unpackLength } from './lengths.js'
import { parseNumbers } from './numbers.js'

export interface ChunkLengths {
  readonly chunks: number
  /** One more than the highest chunk id. */
  readonly size: number
  /** By chunk id: what a token in this field is multiplied with. */
  norms(field: FieldName, correction: number, usual?: number): Float32Array
}

/** By field, for one way of scoring; fields that do not count are absent. */
export type FieldNorms = Readonly<Partial<Record<FieldName, Float32Array>>>

export const loadLengths = (database: Database): ChunkLengths => {
  const row = database.get<Record<'ids' | 'first' | 'second', string | null> & { last: number | null }>(
    `SELECT group_concat(id) AS ids, group_concat(lengths) AS first, group_concat(more_lengths) AS second, max(id) AS last
     FROM chunks NOT INDEXED WHERE words IS NOT NULL`,
  )
  const ids = parseNumbers(row?.ids ?? null)
  const first = parseNumbers(row?.first ?? null)
  const second = parseNumbers(row?.second ?? null)
  const size = (row?.last ?? 0) + 1
  const kept = new Map<string, Float32Array>()
  const averageOf = (field: FieldName): number => {
    let total = 0
    for (let at = 0; at < ids.length; at++) total += unpackLength(field, first[at]!, second[at]!)
    return Math.max(total / Math.max(ids.length, 1), 1)
  }
  const compute = (field: FieldName, correction: number, usual: number): Float32Array => {
    const norms = new Float32Array(size)
    for (let at = 0; at < ids.length; at++) {
      const length = unpackLength(field, first[at]!, second[at]!)
      norms[ids[at]!] = 1 / (1 - correction + (correction * length) / usual)
    }
    return norms
  }
  return {
    chunks: ids.length,
    size,
    norms: (field, correction, usual) => {
      const key = `${field} ${correction} ${usual}`
      const norms = kept.get(key) ?? compute(field, correction, usual ?? averageOf(field))
      kept.set(key, norms)
      return norms
    },
  }
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
