/** One settings file: read with care, parsed as TOML, and laid out as values under dotted keys, each with its line. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { QuarryError } from '../core/errors.js'
import { settingKeys } from './settings.js'

export interface FileValue {
  /** Dotted; for what is no setting, as much of it as was needed to see that. */
  readonly key: string
  readonly value: unknown
  readonly line: number
}

/** Settings fill a page; anything longer is not meant for us. */
const LARGEST_FILE = 65_536

/** Empty when there is no file. A stranger's file must be a plain file, not a link or a pipe. */
export const readSettingsFile = async (path: string, isStrangers: boolean): Promise<readonly FileValue[]> => {
  const text = readText(path, isStrangers)
  if (text === null) return []
  const { parse, TomlError } = await import('smol-toml')
  try {
    return flatten(parse(text), '').map(entry => ({ ...entry, line: lineOf(text, entry.key) }))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const { line, column } = error
    const reason = error.message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '')
    throw new QuarryError('BAD_CONFIG', `${path}:${line}:${column}: ${reason}${advice(text, line)}`, {
      hint: `correct line ${line} of ${path}`,
      cause: error,
    })
  }
}

const readText = (path: string, isStrangers: boolean): string | null => {
  const refuse = (why: string, cause?: unknown): never => {
    throw new QuarryError('BAD_CONFIG', `${path} ${why}`, { hint: `ls -l ${path}`, cause })
  }
  const noFollow = isStrangers ? (constants.O_NOFOLLOW ?? 0) : 0
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noFollow)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    return refuse(code === 'ELOOP' ? 'is a link' : `cannot be read (${code})`, error)
  }
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile()) refuse('is not a file')
    if (status.size > LARGEST_FILE) refuse(`is larger than ${LARGEST_FILE} bytes`)
    return readFileSync(descriptor, 'utf8')
      .slice(0, LARGEST_FILE)
      .replace(/^\uFEFF/, '')
  } finally {
    closeSync(descriptor)
  }
}

/** Tables are opened only where settings lie below them, so that an unknown table is named once. */
const flatten = (table: object, prefix: string): { key: string; value: unknown }[] =>
  Object.entries(table).flatMap(([name, value]) => {
    const key = prefix + name
    const isTable =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    const isGroup = settingKeys.some(known => known.startsWith(`${key}.`))
    return isTable && isGroup ? flatten(value, `${key}.`) : [{ key, value }]
  })

/** Where a key is set. The parser does not tell; a search that knows table headers finds it, and 1 is a fair guess else. */
const lineOf = (text: string, key: string): number => {
  let table = ''
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[+([^\]]+)\]/.exec(line)?.[1]
    if (header !== undefined) table = `${plain(header)}.`
    const name = header === undefined ? /^\s*([^=#]+?)\s*=/.exec(line)?.[1] : undefined
    const here = name === undefined ? table.slice(0, -1) : table + plain(name)
    if (here === key) return index + 1
  }
  return 1
}

const plain = (key: string): string => key.replace(/["'\s]/g, '')

const advice = (text: string, line: number): string => {
  const wrong = text.split('\n')[line - 1] ?? ''
  if (/^\s*[\w.-]+\s*:/.test(wrong)) return '; write key = value'
  if (/^\s*[{[]\s*$/.test(wrong) || /^\s*"[\w.-]+"\s*:/.test(wrong)) return '; this is TOML, not JSON'
  if (/=\s*(?:yes|no|on|off)\s*$/i.test(wrong)) return '; write true or false'
  if (/=\s*[A-Za-z]/.test(wrong)) return '; put text between quotes'
  return ''
}
