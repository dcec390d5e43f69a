/**
 * Bytes to text. UTF-8 and ASCII as they are; UTF-16 if it says so by its byte order mark; damaged UTF-8 with U+FFFD for
 * each bad byte; anything else as Windows-1252 (Latin-1 and its quotes), if it reads like a Western text at all. What comes
 * out is well-formed, without byte order mark and without NUL, and has the line ends of the file.
 */

import { isUtf8 } from 'node:buffer'
import type { Refusal } from './read-bytes.js'

/** Where Git looks for NUL too. */
const BINARY_WINDOW = 8192
/** A Western text is mostly ASCII; Cyrillic, Greek or Asian text in an old encoding is not, and would come out as noise. */
const MOST_HIGH_BYTES = 0.3
const MOST_CONTROL_BYTES = 0.02

/** What Windows-1252 has where Latin-1 has control characters; Node 20 decodes the former as the latter. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

export const decode = (bytes: Buffer): string | Refusal => {
  const wide = wideEncoding(bytes)
  if (wide) {
    const text = new TextDecoder(wide).decode(bytes)
    return text.includes('\0') ? { reason: 'binary', detail: 'UTF-16 with NUL' } : text
  }
  if (bytes.subarray(0, BINARY_WINDOW).includes(0)) return { reason: 'binary' }
  const text = isUtf8(bytes) ? bytes.toString('utf8') : decodeOther(bytes)
  if (typeof text !== 'string') return text
  return (text.startsWith('\uFEFF') ? text.slice(1) : text).replaceAll('\0', '\uFFFD')
}

const wideEncoding = (bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

const decodeOther = (bytes: Buffer): string | Refusal => {
  const { high, control, sequences, bad } = census(bytes)
  if (control > bytes.length * MOST_CONTROL_BYTES) return { reason: 'binary', detail: 'control characters' }
  // More good sequences than bad bytes do not happen by chance: UTF-8 that was cut or pasted together.
  if (sequences > bad) return bytes.toString('utf8')
  if (high > bytes.length * MOST_HIGH_BYTES)
    return {
      reason: 'encoding',
      detail: `not UTF-8, and ${Math.round((100 * high) / bytes.length)} % of it is not ASCII`,
    }
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, control => WINDOWS[control.charCodeAt(0) - 0x80]!)
}

/** Counts what tells encodings apart: bytes above ASCII, control bytes, well-formed UTF-8 sequences, bytes outside them. */
const census = (bytes: Buffer): { high: number; control: number; sequences: number; bad: number } => {
  let high = 0
  let control = 0
  let sequences = 0
  let bad = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!
    if (byte < 0x80) {
      if (byte === 0x7f || (byte < 0x20 && !isLayout(byte))) control++
      at++
      continue
    }
    const length = sequenceLength(bytes, at)
    if (length === 0) bad++
    else sequences++
    const width = Math.max(length, 1)
    high += width
    at += width
  }
  return { high, control, sequences, bad }
}

/** Tab, line feed, vertical tab, form feed, carriage return, and the escape of coloured logs. */
const isLayout = (byte: number): boolean => (byte >= 0x09 && byte <= 0x0d) || byte === 0x1b

/** Length of the UTF-8 sequence that begins here, 0 if none does. */
const sequenceLength = (bytes: Buffer, at: number): number => {
  const lead = bytes[at]!
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0
  if (length === 0 || at + length > bytes.length) return 0
  return isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
