/** Puts one entry into a JSON file, or takes it out, and leaves every other byte where it is. */

import { isDeepStrictEqual } from 'node:util'
import { QuarryError } from '../../core/errors.js'
import { type Located, type Member, readJson } from './read-json.js'

type Path = readonly [string, ...string[]]

/** The text with the value at the path. */
export const putJson = (text: string, path: Path, value: unknown): string => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const write = (what: unknown, level: number, unit: string): string =>
    JSON.stringify(what, null, unit).replaceAll('\n', newline + unit.repeat(level))
  if (text.trim() === '') return `${write(nested(path, value), 0, '  ')}${newline}`

  const root = readJson(text)
  const unit = unitOf(text, root)
  let object = root
  for (const [level, key] of path.entries()) {
    if (object.members === undefined) return refuse(path.slice(0, level))
    const member = lastOf(object.members, key)
    const rest = path.slice(level + 1)
    if (member === undefined) {
      const line = `${JSON.stringify(key)}: ${write(nested(rest, value), level + 1, unit)}`
      return insert(text, object, line, { newline, inner: unit.repeat(level + 1), outer: unit.repeat(level) })
    }
    if (rest.length === 0) {
      const { start, end } = member.value
      if (isDeepStrictEqual(member.value.value, value)) return text
      return text.slice(0, start) + write(value, level + 1, unit) + text.slice(end)
    }
    object = member.value
  }
  return text
}

/** The text without it, and without the objects that held nothing else; null when nothing is left. */
export const takeJson = (text: string, path: Path): string | null => {
  if (text.trim() === '') return text
  const chain: { readonly object: Located; readonly member: Member }[] = []
  let object = readJson(text)
  for (const key of path) {
    const member = object.members && lastOf(object.members, key)
    if (member === undefined) return text
    chain.push({ object, member })
    object = member.value
  }
  const last = chain.findLast(({ object: { members } }, level) => members!.length > 1 || level === 0)!
  if (last.object.members!.length > 1) return cutMember(text, last.object.members!, last.member)
  const { start, end } = last.object
  const inside = text.slice(start + 1, last.member.start) + text.slice(last.member.value.end, end - 1)
  // Comments that someone wrote are worth a file.
  if (inside.replace(',', '').trim() !== '') {
    return text.slice(0, last.member.start) + withoutComma(text.slice(last.member.value.end))
  }
  const left = `${text.slice(0, start)}{}${text.slice(end)}`
  return left.trim() === '{}' ? null : left
}

/** What goes is the member and one comma; comments around it stay. */
const cutMember = (text: string, members: readonly Member[], member: Member): string => {
  const position = members.indexOf(member)
  const next = members[position + 1]
  if (next !== undefined) {
    const between = withoutComma(text.slice(member.value.end, next.start)).trimStart()
    return text.slice(0, member.start) + between + text.slice(next.start)
  }
  const { end } = members[position - 1]!.value
  const between = withoutComma(text.slice(end, member.start)).trimEnd()
  return text.slice(0, end) + between + text.slice(member.value.end)
}

const COMMA = /^((?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*),/

const withoutComma = (text: string): string => text.replace(COMMA, '$1')

interface Layout {
  readonly newline: string
  readonly inner: string
  readonly outer: string
}

/** Behind the last member, and behind the comment that may stand there. */
const insert = (text: string, object: Located, line: string, { newline, inner, outer }: Layout): string => {
  const close = object.end - 1
  const body = text.slice(0, close).trimEnd()
  const last = object.members!.at(-1)
  const added = `${newline}${inner}${line}${newline}${outer}`
  if (last === undefined) return body + added + text.slice(close)
  const { end } = last.value
  const between = body.slice(end)
  return body.slice(0, end) + (COMMA.test(between) ? '' : ',') + between + added + text.slice(close)
}

/** Of a key that is there twice the last one counts, as it does to every reader. */
const lastOf = (members: readonly Member[], key: string): Member | undefined =>
  members.findLast(member => member.key === key)

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)

const unitOf = (text: string, { members = [] }: Located): string => {
  const [first] = members
  const lead = first === undefined ? '' : /[ \t]*$/.exec(text.slice(0, first.start))![0]
  return text[(first?.start ?? 0) - lead.length - 1] === '\n' && lead !== '' ? lead : '  '
}

const refuse = (path: readonly string[]): never => {
  const what = path.length === 0 ? 'It' : `“${path.join('.')}” in it`
  throw new QuarryError('BAD_CONFIG', `${what} is not an object`)
}
