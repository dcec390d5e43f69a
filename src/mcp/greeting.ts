/**
 * Answers a plain `initialize` at once: loading the protocol library takes longer than everything before it, and clients wait
 * for this answer first. The library hears the same message afterwards, so that it knows its client; its own answer, which is
 * the same, is held back. Whatever is not plain is left to the library.
 */

import { Writable } from 'node:stream'
import { CAPABILITIES, INSTRUCTIONS, identityOf } from './identity.js'

export interface Greeter {
  /** Told of each line before the library is; only the first can be a greeting. */
  hear(line: Buffer): void
  /** Where the library writes. */
  readonly output: Writable
}

export const greeter = (out: Writable, version: string): Greeter => {
  let isFirst = true
  let answered: string | number | undefined
  return {
    hear(line) {
      const hello = isFirst ? plainHello(line) : null
      isFirst = false
      if (hello === null) return
      answered = hello.id
      const result = {
        protocolVersion: hello.protocolVersion,
        capabilities: CAPABILITIES,
        serverInfo: identityOf(version),
        instructions: INSTRUCTIONS,
      }
      out.write(`${JSON.stringify({ result, jsonrpc: '2.0', id: hello.id })}\n`)
    },
    output: new Writable({
      decodeStrings: false,
      write(chunk, encoding, done) {
        if (answered !== undefined && isAnswerTo(answered, String(chunk))) {
          answered = undefined
          done()
        } else out.write(chunk, encoding, done)
      },
    }),
  }
}

/** The revisions that begin with `initialize`. One that is not here is negotiated by the library. */
const REVISIONS: readonly unknown[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** Narrower than the protocol: of what gets through here the library must have nothing to complain about. */
const plainHello = (
  line: Buffer,
): { readonly id: string | number; readonly protocolVersion: unknown } | null => {
  const message = parsed(line)
  if (!isTable(message) || !hasOnly(message, ['jsonrpc', 'id', 'method', 'params'])) return null
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || method !== 'initialize' || !isTable(params)) return null
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  if (!hasOnly(params, ['protocolVersion', 'capabilities', 'clientInfo'])) return null
  const { protocolVersion, capabilities, clientInfo } = params
  if (!REVISIONS.includes(protocolVersion) || !isTree(capabilities) || !isTable(clientInfo)) return null
  const names = Object.values(clientInfo)
  if (!('name' in clientInfo && 'version' in clientInfo && names.every(name => typeof name === 'string')))
    return null
  return { id: id as string | number, protocolVersion }
}

const parsed = (line: Buffer): unknown => {
  try {
    return JSON.parse(line.toString())
  } catch {
    return null
  }
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (table: object, keys: readonly string[]): boolean => {
  const own = Object.keys(table)
  return own.length === keys.length && own.every(key => keys.includes(key))
}

/** Tables within tables, as capabilities are, and one well-known word. */
const isTree = (value: unknown): boolean =>
  isTable(value) &&
  Object.entries(value).every(
    ([key, part]) => isTree(part) || (key === 'listChanged' && typeof part === 'boolean'),
  )

const isAnswerTo = (id: string | number, text: string): boolean => {
  const message = parsed(Buffer.from(text))
  return isTable(message) && message.id === id && !('method' in message)
}
