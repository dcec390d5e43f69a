/** The elements of a JSON array, one at a time: the files of LongMemEval are longer than the longest string. */

import { badData, bytesOf } from './read-data.js'

export interface Element {
  /** File and line where it begins. */
  readonly place: string
  readonly text: string
}

const [QUOTE, BACKSLASH, LINE_END, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [...Buffer.from('"\\\n[]{}')] as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]

/** Only objects are elements; `onBytes` sees every byte of the file, in order. */
export async function* arrayElements(
  file: string,
  onBytes: (bytes: Buffer) => void = () => {},
): AsyncGenerator<Element> {
  let [depth, line, began, isText, isEscaped] = [0, 1, 0, false, false]
  let pieces: Buffer[] = []
  for await (const bytes of bytesOf(file)) {
    onBytes(bytes)
    let start = began === 0 ? -1 : 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === LINE_END) line++
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
      } else if (byte === QUOTE) isText = true
      else if (byte === OPEN || byte === OPEN_LIST) {
        if (depth === 0 && byte !== OPEN_LIST) throw noList(file)
        if (depth === 1) {
          began = line
          start = at
        }
        depth++
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        depth--
        if (depth === 1) {
          pieces.push(bytes.subarray(start, at + 1))
          yield { place: `${file}:${began}`, text: Buffer.concat(pieces).toString('utf8') }
          ;[pieces, began, start] = [[], 0, -1]
        }
      } else if (depth === 0 && byte > 0x20) throw noList(file)
    }
    if (start >= 0) pieces.push(Buffer.from(bytes.subarray(start)))
  }
  if (depth !== 0 || isText) throw badData(`${file}:${began || line} begins a question that has no end`)
}

const noList = (file: string) => badData(`${file}:1 must begin with [: a list of questions`)
