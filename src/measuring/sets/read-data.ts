/** Reads the data files of one set, checks every row, and hashes all that was read. A mistake is named by file and line. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { QuarryError } from '../../core/errors.js'

export interface DataReader {
  json<T>(path: string, schema: z.ZodType<T>): Promise<T>
  jsonLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]>
  /** Rows of a tab-separated file without its heading, each with its line. */
  tabbed(path: string): Promise<{ readonly place: string; readonly fields: readonly string[] }[]>
  /** SHA-256 over name and bytes of every file read so far, in the order of their names. */
  hash(): string
}

export const dataReader = (directory: string): DataReader => {
  const digests = new Map<string, string>()

  /** Line by line, as a corpus may be longer than the longest string. */
  async function* lines(path: string): AsyncGenerator<{ readonly place: string; readonly text: string }> {
    const file = join(directory, path)
    const digest = createHash('sha256')
    const decoder = new TextDecoder()
    let number = 0
    let rest = ''
    for await (const bytes of bytesOf(file)) {
      digest.update(bytes)
      const pieces = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = pieces.pop()!
      for (const text of pieces) yield { place: `${file}:${++number}`, text }
    }
    yield { place: `${file}:${++number}`, text: rest + decoder.decode() }
    digests.set(path, digest.digest('hex'))
  }

  return {
    json: async (path, schema) => {
      const texts: string[] = []
      for await (const { text } of lines(path)) texts.push(text)
      return parseChecked(schema, texts.join('\n'), join(directory, path))
    },
    jsonLines: async (path, schema) => {
      const rows = []
      for await (const { place, text } of lines(path))
        if (text.trim() !== '') rows.push(parseChecked(schema, text, place))
      return rows
    },
    tabbed: async path => {
      const rows = []
      for await (const { place, text } of lines(path))
        if (text.trim() !== '') rows.push({ place, fields: text.replace(/\r$/, '').split('\t') })
      return rows.slice(1)
    },
    hash: () => {
      const whole = createHash('sha256')
      for (const [path, digest] of [...digests].sort(([a], [b]) => (a < b ? -1 : 1))) {
        whole.update(`${path}\0${digest}\n`)
      }
      return whole.digest('hex')
    },
  }
}

export async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: 1 << 20 })) yield bytes as Buffer
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new QuarryError('BAD_PATH', code === 'ENOENT' ? `There is no ${file}` : `${file}: ${message}`, {
      hint: 'quarry bench --help says which files a set consists of',
      cause: error,
    })
  }
}

/** `place` is what the error begins with. */
export const parseChecked = <T>(schema: z.ZodType<T>, text: string, place: string): T => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw badData(`${place} is not JSON`, cause)
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw badData(`${place}: ${issue!.path.join('.') || 'it'}: ${issue!.message}`, result.error)
}

export const badData = (message: string, cause?: unknown): QuarryError =>
  new QuarryError('BAD_INPUT', message, {
    hint: 'mend or delete that line; nothing was measured',
    ...(cause === undefined ? {} : { cause }),
  })
