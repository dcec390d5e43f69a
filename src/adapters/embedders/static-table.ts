/** The file of the static embedder: a vocabulary and one small vector for each of its tokens. All numbers little-endian:
 *
 *   8 bytes  magic `QRYTABLE`       4  format version      4  dimensions      4  rows      4  bytes of vocabulary
 *  32 bytes  SHA-256 of everything after the header
 *   vocabulary (tokens in the order of their ids, a newline after each), padded to four bytes with newlines
 *   one 32-bit scale for each row, then the rows, 8 bits a number
 */

import { createHash } from 'node:crypto'
import { QuarryError } from '../../core/errors.js'

export interface StaticTable {
  readonly dimensions: number
  /** One token a line, in the order of their ids. */
  readonly vocabulary: Uint8Array
  /** A row is `scales[row] × rows[row × dimensions …]`; its length carries the weight of the token. */
  readonly scales: Float32Array
  readonly rows: Int8Array
}

const MAGIC = 'QRYTABLE'
const VERSION = 1
const HEADER = 56

export function encodeTable(dimensions: number, tokens: readonly string[], vectors: Float32Array): Buffer {
  const vocabulary = Buffer.from(tokens.map(token => `${token}\n`).join(''))
  const padded = Buffer.alloc(Math.ceil(vocabulary.length / 4) * 4, '\n')
  vocabulary.copy(padded)
  const scales = new Float32Array(tokens.length)
  const rows = new Int8Array(tokens.length * dimensions)
  for (let row = 0; row < tokens.length; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions)
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    scales[row] = largest / 127
    if (largest > 0)
      rows.set(
        vector.map(value => Math.round((value / largest) * 127)),
        row * dimensions,
      )
  }
  const body = Buffer.concat([padded, Buffer.from(scales.buffer), Buffer.from(rows.buffer)])
  const header = Buffer.alloc(HEADER)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(VERSION, 8)
  header.writeUInt32LE(dimensions, 12)
  header.writeUInt32LE(tokens.length, 16)
  header.writeUInt32LE(padded.length, 20)
  createHash('sha256').update(body).digest().copy(header, 24)
  return Buffer.concat([header, body])
}

/** `MODEL_DAMAGED` unless every byte is as it was written. */
export function decodeTable(file: Buffer): StaticTable {
  if (file.length < HEADER || file.toString('latin1', 0, 8) !== MAGIC) throw damaged('it is not a table')
  if (file.readUInt32LE(8) !== VERSION) throw damaged(`its format is ${file.readUInt32LE(8)}, not ${VERSION}`)
  const dimensions = file.readUInt32LE(12)
  const count = file.readUInt32LE(16)
  const vocabularyBytes = file.readUInt32LE(20)
  const body = file.subarray(HEADER)
  if (body.length !== vocabularyBytes + count * (4 + dimensions)) throw damaged('its size is wrong')
  if (!createHash('sha256').update(body).digest().equals(file.subarray(24, HEADER)))
    throw damaged('its SHA-256 is wrong')
  const rowStart = vocabularyBytes + count * 4
  return {
    dimensions,
    vocabulary: body.subarray(0, vocabularyBytes),
    // Copied, because a view of 32-bit numbers needs an address that a multiple of four divides.
    scales: new Float32Array(Uint8Array.from(body.subarray(vocabularyBytes, rowStart)).buffer),
    rows: new Int8Array(body.buffer, body.byteOffset + rowStart, count * dimensions),
  }
}

/** Names the table in the embedder's id: vectors of another table are never compared with these. */
export const tableRevision = (file: Buffer): string => file.toString('hex', 24, 28)

const damaged = (why: string) =>
  new QuarryError('MODEL_DAMAGED', `The static table cannot be used: ${why}`, {
    hint: 'npm install -g quarry',
  })
