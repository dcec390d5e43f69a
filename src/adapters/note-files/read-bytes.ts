/** The bytes of one file, and their text. Pipes and devices are not opened, links not followed. */

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'

/** `O_NONBLOCK`: opening a pipe would wait for its writer. Windows has neither flag, nor the danger. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Half of what the longest string of the engine can hold. */
const LARGEST = 256 * 1024 * 1024
const BINARY_WINDOW = 8192

export type FileText =
  | { readonly text: string; readonly modified: number; readonly isMended: boolean }
  | { readonly refusal: string }

export const readText = (path: string): FileText => {
  let descriptor: number | undefined
  try {
    const before = lstatSync(path)
    if (before.isSymbolicLink()) return { refusal: 'it is a link, and links are not followed' }
    if (!before.isFile()) return { refusal: 'it is not a file' }
    if (before.size > LARGEST)
      return { refusal: `it has ${before.size} bytes, at most ${LARGEST} are read: split it` }
    descriptor = openSync(path, FLAGS)
    const status = fstatSync(descriptor)
    if (!status.isFile()) return { refusal: 'it is not a file' }
    const decoded = decode(readFileSync(descriptor))
    return 'refusal' in decoded ? decoded : { ...decoded, modified: Math.round(status.mtimeMs) }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { refusal: code === 'ENOENT' ? 'it is not there' : `it cannot be read: ${message}` }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Bad bytes become U+FFFD, and the caller says so: a diary with one broken letter is still a diary. */
const decode = (bytes: Buffer): { text: string; isMended: boolean } | { refusal: string } => {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  if (wide) return { text: new TextDecoder(wide).decode(bytes), isMended: false }
  if (bytes.subarray(0, BINARY_WINDOW).includes(0)) return { refusal: 'it is not text' }
  const text = new TextDecoder('utf-8').decode(bytes)
  return { text, isMended: text.includes('\ufffd') && !bytes.includes(Buffer.from('\ufffd')) }
}
