/** Registers Quarry with a client, or takes it out again: decides, shows what changes, and writes the file whole or not at all. */

import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { type AgentClient, CLIENTS, type ClientName, type ServerCommand } from './clients.js'
import { putJson, takeJson } from './edit-json.js'
import { putToml, takeToml } from './edit-toml.js'
import { differing, readPlainFile, writeWhole } from './plain-file.js'

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

/** Without a server it is taken out. */
export const register = (options: RegisterOptions, server: ServerCommand | null): Registration => {
  const client = CLIENTS[options.client]
  const { base, file } = fileOf(client, options)
  const before = readPlainFile(file, base, hintFor(options.client))
  const after = edited(client, before ?? '', server, options.client, file)
  const isSame = after === before || (before === null && after === '')
  const isThere = before !== null && readsEntry(client, before)
  if (!isSame && !options.dryRun) writeWhole(file, after, base)
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

const hintFor = (name: ClientName): string => `quarry mcp install ${name} --print shows what to paste`
