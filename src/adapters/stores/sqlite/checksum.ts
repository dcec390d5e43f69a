/** The CRC that every row carries. A single flipped bit always changes it. */

import { crc32 } from 'node:zlib'

export type Value = string | number | null | Uint8Array

/** Values are kept apart by NUL, which no stored text holds. */
export const checksum = (...values: readonly Value[]): number => {
  const blobs = values.filter(value => value instanceof Uint8Array)
  const rest = crc32(
    values.map(value => (value instanceof Uint8Array ? value.length : (value ?? '\u0001'))).join('\u0000'),
  )
  return blobs.reduce((sum, blob) => crc32(blob, sum), rest)
}
