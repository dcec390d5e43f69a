/** Registers Quarry with a client, or takes it out again: decides, shows what changes, and writes the file whole or not at all. */

import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { type AgentClient, CLIENTS, type ClientName, type ServerCommand } from './clients.js'
import { putJson, takeJson } from './edit-json.js'
import { putToml, takeToml } from './edit-toml.js'

export interface Registration {
  readonly client: ClientName
  readonly file: string
  readonly change: 'added' | 'changed' | 'removed' | 'none'
  /** The lines that change, `-` before and `+` after. */
  readonly diff: readonly string[]
  /** What is left for the user to do. */
  readonly next: string
}

export interface RegisterOptions {
  readonly client: ClientName
  readonly project: string
  readonly home: string
  /** In the settings of the user, for every project. */
  readonly global: boolean
  readonly dryRun: boolean
}

const LARGEST_FILE = 8 << 20

/** Without a server it is taken out. */
export const register = (options: RegisterOptions, server: ServerCommand | null): Registration => {
  const client = CLIENTS[options.client]
  const { base, file } = fileOf(client, options)
  const before = readSettings(file, base, options.client)
  const after = edited(client, before ?? '', server, options.client, file)
  const isSame = after === before || (before === null && after === '')
  const isThere = before !== null && readsEntry(client, before)
  if (!isSame && !options.dryRun) write(file, after)
  return {
    client: options.client,
    file,
    change: isSame ? 'none' : server === null ? 'removed' : isThere ? 'changed' : 'added',
    diff: isSame ? [] : differing(before ?? '', after ?? ''),
    next: server === null ? 'restart the client' : client.next,
  }
}

/** The lines to paste where Quarry should not write itself. */
export const entryText = (name: ClientName, server: ServerCommand): string => {
  const { format, path, entry } = CLIENTS[name]
  return format === 'json' ? putJson('', path, entry(server)) : putToml('', path, entry(server))
}

const fileOf = (client: AgentClient, { project, home, global }: RegisterOptions) => {
  const base = global || client.project === null ? home : project
  return { base, file: join(base, global || client.project === null ? client.user : client.project) }
}

const edited = (
  { format, path, entry }: AgentClient,
  before: string,
  server: ServerCommand | null,
  name: ClientName,
  file: string,
): string | null => {
  try {
    if (server === null) return format === 'json' ? takeJson(before, path) : takeToml(before, path)
    return format === 'json' ? putJson(before, path, entry(server)) : putToml(before, path, entry(server))
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error
    throw new QuarryError(error.code, `${file} was left as it is. ${error.message}`, { hint: hintFor(name) })
  }
}

const readsEntry = ({ format, path }: AgentClient, text: string): boolean =>
  (format === 'json' ? takeJson(text, path) : takeToml(text, path)) !== text

/** A clone may bring links that lead elsewhere: nothing is read or written through one. */
const readSettings = (file: string, base: string, name: ClientName): string | null => {
  const parts = relative(base, file).split(sep)
  for (const [position] of parts.entries()) {
    const place = join(base, ...parts.slice(0, position + 1))
    const status = lstatSync(place, { throwIfNoEntry: false })
    if (status === undefined) return null
    const isLast = position === parts.length - 1
    if (isLast ? !status.isFile() : !status.isDirectory())
      throw new QuarryError('BAD_PATH', `${place} is not a ${isLast ? 'file' : 'directory'}, or is a link`, {
        hint: hintFor(name),
      })
    if (isLast && status.size > LARGEST_FILE)
      throw new QuarryError('BAD_CONFIG', `${place} is too large for settings`, { hint: hintFor(name) })
  }
  return readFileSync(file, 'utf8')
}

const hintFor = (name: ClientName): string => `quarry mcp install ${name} --print shows what to paste`

const write = (file: string, text: string | null): void => {
  if (text === null) {
    rmSync(file)
    return
  }
  mkdirSync(dirname(file), { recursive: true })
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0o644
  const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(beside, text, { mode: mode & 0o777, flag: 'wx' })
    renameSync(beside, file)
  } finally {
    rmSync(beside, { force: true })
  }
}

/** One change in one place: what is the same above and below it is left out but for a line or two. */
const differing = (before: string, after: string): readonly string[] => {
  const [a, b] = [linesOf(before), linesOf(after)]
  let top = 0
  while (top < a.length && top < b.length && a[top] === b[top]) top++
  let bottom = 0
  while (bottom < a.length - top && bottom < b.length - top && a.at(-1 - bottom) === b.at(-1 - bottom))
    bottom++
  return [
    ...a.slice(Math.max(0, top - 2), top).map(line => `  ${line}`),
    ...a.slice(top, a.length - bottom).map(line => `- ${line}`),
    ...b.slice(top, b.length - bottom).map(line => `+ ${line}`),
    ...a.slice(a.length - bottom, a.length - bottom + 2).map(line => `  ${line}`),
  ]
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
