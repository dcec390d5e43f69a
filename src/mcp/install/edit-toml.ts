/** Puts one table of strings into a TOML file, or takes it out, and leaves every other byte where it is. */

import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'
import { QuarryError } from '../../core/errors.js'

type Table = Readonly<Record<string, string | readonly string[]>>
type Path = readonly [string, ...string[]]

export const putToml = (text: string, path: Path, table: Table): string => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  if (isDeepStrictEqual(valueAt(text, path), table)) return text
  const lines = [
    `[${path.join('.')}]`,
    ...Object.entries(table).map(([key, value]) => `${key} = ${write(value)}`),
  ]
  const block = lines.join(newline) + newline
  const found = blockOf(text, path)
  if (found) return text.slice(0, found.start) + block + text.slice(found.end)
  if (valueAt(text, path) !== undefined) return refuse(path)
  if (text === '') return block
  return `${text}${text.endsWith('\n') ? '' : newline}${newline}${block}`
}

/** null when nothing is left. */
export const takeToml = (text: string, path: Path): string | null => {
  const found = blockOf(text, path)
  if (found === null) return valueAt(text, path) === undefined ? text : refuse(path)
  const before = text.slice(0, found.start)
  const after = text.slice(found.end)
  // The empty line that came with it goes with it.
  const left = (after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before) + after
  return left.trim() === '' ? null : left
}

/** From its header to the next one. */
const blockOf = (text: string, path: Path): { readonly start: number; readonly end: number } | null => {
  const header = new RegExp(`^[ \\t]*\\[${path.join('\\.')}\\][ \\t]*(?:#.*)?$`, 'm').exec(text)
  if (header === null) return null
  const behind = header.index + header[0].length
  const next = /^[ \t]*\[/m.exec(text.slice(behind))
  return { start: header.index, end: next === null ? text.length : behind + next.index }
}

const valueAt = (text: string, path: Path): unknown => {
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    throw new QuarryError('BAD_CONFIG', 'It cannot be read as TOML', { cause })
  }
  for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}

/** Strings of JSON are strings of TOML. */
const write = (value: string | readonly string[]): string =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map(one => JSON.stringify(one)).join(', ')}]`

const refuse = (path: Path): never => {
  throw new QuarryError('BAD_CONFIG', `It has ${path.join('.')} already, written another way`)
}
