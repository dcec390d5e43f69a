/** How long each field of a chunk is, a byte each: exact up to 31 tokens, then to one part in sixteen. */

import { FIELD_NAMES, type FieldName } from '../../../core/types.js'

const IN_FIRST = 4

/** Two whole numbers, four fields in each. */
export const packLengths = (lengthOf: (field: FieldName) => number): readonly [number, number] => {
  const packed = [0, 0] as [number, number]
  FIELD_NAMES.forEach((field, at) => {
    packed[at < IN_FIRST ? 0 : 1] += toByte(lengthOf(field)) * 256 ** (at % IN_FIRST)
  })
  return packed
}

/** Where the byte of a field lies. */
export const lengthBytes = (field: FieldName): { readonly inFirst: boolean; readonly shift: number } => {
  const at = FIELD_NAMES.indexOf(field)
  return { inFirst: at < IN_FIRST, shift: 8 * (at % IN_FIRST) }
}

/** A small float without a sign: the upper bits count doublings, the lower four the steps between them. */
const toByte = (length: number): number => {
  if (length < 32) return length
  const doublings = Math.floor(Math.log2(length)) - 4
  return Math.min(255, (doublings << 4) + Math.floor(length / 2 ** doublings))
}

export const LENGTH_OF_BYTE = Float64Array.from({ length: 256 }, (_, byte) =>
  byte < 32 ? byte : ((byte & 15) + 16) * 2 ** ((byte >> 4) - 1),
)
