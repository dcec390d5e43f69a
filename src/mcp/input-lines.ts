/**
 * Stands between stdin and the protocol. A line that is too long is passed over instead of ending the connection, one that
 * nests too deep too, and the end of the input is handed on only when the calls that came before it had time to be answered.
 */

import { PassThrough, type Readable } from 'node:stream'
import { DEEPEST, isTooDeep } from './depth.js'

const LONGEST_LINE_BYTES = 1 << 20
const NEWLINE = 0x0a

export const inputLines = (
  input: Readable,
  options: {
    readonly onLine: (line: Buffer) => void
    readonly onDropped: (why: string) => void
    readonly settled: () => Promise<void>
  },
): Readable => {
  const output = new PassThrough()
  let parts: Buffer[] = []
  let length = 0
  let isTooLong = false

  const endLine = (): void => {
    const line = Buffer.concat(parts)
    if (isTooLong) options.onDropped(`a message of more than ${LONGEST_LINE_BYTES} bytes`)
    else if (isTooDeep(line)) options.onDropped(`a message of more than ${DEEPEST} levels`)
    else {
      options.onLine(line)
      output.write(line)
    }
    parts = []
    length = 0
    isTooLong = false
  }
  const take = (part: Buffer): void => {
    length += part.length
    isTooLong ||= length > LONGEST_LINE_BYTES
    if (isTooLong) parts = []
    else parts.push(part)
  }

  input.on('data', (chunk: Buffer) => {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at + 1))
      endLine()
      from = at + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
  })
  let hasEnded = false
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    void options.settled().then(() => output.end())
  }
  input.on('end', end).on('close', end).on('error', end)
  return output
}
