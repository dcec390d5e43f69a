/**
 * Questions from a file or stdin, one at a time as they are asked for: plain text with one a line, or JSON Lines with
 * `{"id","query"}`. A line that cannot be read comes out as what is wrong with it; the lines after it still count.
 */

import { createReadStream } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { z } from 'zod'
import { QuarryError } from '../core/errors.js'

interface Asked {
  /** Counted from 1. */
  readonly line: number
  readonly id?: string | number
  readonly query: string
}

interface Unreadable {
  readonly line: number
  readonly id?: string | number
  readonly error: QuarryError
}

/** Far above any question; without an end a file without line breaks would fill memory. */
const LONGEST_LINE = 16 * 1024 * 1024

const identity = z.union([z.string(), z.number()])
const questionLine = z.strictObject({ id: identity.optional(), query: z.string() })

/** `-` is stdin, which is JSON Lines when its first line is a JSON object. The signal ends even a wait for more input. */
export async function* readQueries(
  file: string,
  stdin: Readable,
  signal?: AbortSignal,
): AsyncGenerator<Asked | Unreadable> {
  const bytes = file === '-' ? stdin : createReadStream(file)
  if (signal) addAbortSignal(signal, bytes)
  let isJson = file === '-' ? undefined : /\.jsonl$/i.test(file)
  let line = 0
  for await (const text of linesOf(bytes, file)) {
    line++
    if (text === null) {
      yield { line, error: badLine(line, `is longer than ${LONGEST_LINE} characters`) }
    } else if (text.trim() !== '') {
      isJson ??= isObject(text)
      yield isJson ? readLine(text, line) : { line, query: text }
    }
  }
}

/**
 * Lines end at `\n` or `\r\n` and nowhere else: node:readline also ends them at U+2028, which JSON allows in a string.
 * null stands for a line that is too long.
 */
async function* linesOf(bytes: Readable, file: string): AsyncGenerator<string | null> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  let length = 0
  const take = (): string | null => {
    const line = length > LONGEST_LINE ? null : pieces.join('').replace(/\r$/, '')
    pieces = []
    length = 0
    return line
  }
  const keep = (piece: string): void => {
    length += piece.length
    if (length <= LONGEST_LINE) pieces.push(piece)
    else pieces = []
  }
  let isFirst = true
  try {
    for await (const chunk of bytes) {
      let text = typeof chunk === 'string' ? chunk : decoder.write(chunk)
      if (isFirst && text !== '') {
        text = text.replace(/^\uFEFF/, '')
        isFirst = false
      }
      const parts = text.split('\n')
      for (const part of parts.slice(0, -1)) {
        keep(part)
        yield take()
      }
      keep(parts.at(-1)!)
    }
  } catch (cause) {
    const { message } = cause as Error
    throw new QuarryError('BAD_INPUT', `The questions in ${file} cannot be read: ${message}`, { cause })
  }
  keep(decoder.end())
  if (length > 0) yield take()
}

const readLine = (text: string, line: number): Asked | Unreadable => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { line, error: badLine(line, 'is not JSON', cause) }
  }
  const checked = questionLine.safeParse(value)
  if (checked.success) {
    const { id, query } = checked.data
    return id === undefined ? { line, query } : { line, id, query }
  }
  const id = identity.safeParse((value as { id?: unknown } | null)?.id)
  const reason = `does not fit {"id","query"}: ${checked.error.issues.map(describe).join('; ')}`
  return { line, ...(id.success && { id: id.data }), error: badLine(line, reason) }
}

const describe = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`

const badLine = (line: number, reason: string, cause?: unknown): QuarryError =>
  new QuarryError('BAD_INPUT', `Line ${line} of the questions ${reason}`, {
    hint: 'write {"id": "q1", "query": "…"} on each line',
    cause,
  })

const isObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
