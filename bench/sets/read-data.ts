/** Reads the data files of one set, checks every row, and hashes all that was read. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export interface DataReader {
  json<T>(path: string, schema: z.ZodType<T>): Promise<T>
  jsonLines<T>(path: string, schema: z.ZodType<T>): Promise<T[]>
  /** Rows of a tab-separated file without its heading. */
  tabbed(path: string): Promise<string[][]>
  /** SHA-256 over name and bytes of every file read so far, in the order of their names. */
  hash(): string
}

export const dataReader = (directory: string): DataReader => {
  const digests = new Map<string, string>()

  const read = async (path: string): Promise<string> => {
    const bytes = await readFile(join(directory, path))
    digests.set(path, createHash('sha256').update(bytes).digest('hex'))
    return bytes.toString('utf8')
  }

  const lines = async (path: string): Promise<string[]> =>
    (await read(path)).split('\n').filter(line => line.trim() !== '')

  return {
    json: async (path, schema) => parse(schema, await read(path), path),
    jsonLines: async (path, schema) =>
      (await lines(path)).map((line, index) => parse(schema, line, `${path}:${index + 1}`)),
    tabbed: async path => (await lines(path)).slice(1).map(line => line.replace(/\r$/, '').split('\t')),
    hash: () => {
      const whole = createHash('sha256')
      for (const [path, digest] of [...digests].sort(([a], [b]) => (a < b ? -1 : 1))) {
        whole.update(`${path}\0${digest}\n`)
      }
      return whole.digest('hex')
    },
  }
}

const parse = <T>(schema: z.ZodType<T>, text: string, place: string): T => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${place} is not JSON`, { cause })
  }
  const result = schema.safeParse(value)
  if (!result.success) throw new Error(`${place}: ${z.prettifyError(result.error)}`)
  return result.data
}
