/** `quarry mcp install` and `uninstall`: an entry in the settings of a client, shown before it is there. */

import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nearest } from '../../config/nearest.js'
import { QuarryError } from '../../core/errors.js'
import { CLIENT_NAMES, CLIENTS, type ClientName, type ServerCommand } from '../../mcp/install/clients.js'
import { entryText, type Registration, register } from '../../mcp/install/register.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import type { Surroundings } from '../program.js'

interface Flags {
  readonly global?: boolean
  readonly dryRun?: boolean
  readonly print?: boolean
  readonly json?: boolean
}

export const runMcpInstall = async (
  action: 'install' | 'uninstall',
  given: string | undefined,
  { global = false, dryRun = false, print = false, json = false }: Flags,
  { terminal }: Surroundings,
): Promise<number> => {
  const client = clientNamed(action, given)
  const server = serverCommand()
  if (print) {
    await terminal.print(entryText(client, server))
    return 0
  }
  const place = { project: process.cwd(), home: homedir() }
  const done = register({ client, ...place, global, dryRun }, action === 'install' ? server : null)
  if (json) await terminal.print(`${encode({ ...done, written: !dryRun && done.change !== 'none' }, 2)}\n`)
  else {
    await terminal.print(done.diff.map(line => `${sanitiseLine(line)}\n`).join(''))
    terminal.talk(`${summary(done, action, dryRun)}\n`)
    if (done.change !== 'none' && !dryRun) terminal.talk(`${terminal.paint.faint(' next:')} ${done.next}\n`)
  }
  return 0
}

const clientNamed = (action: string, given: string | undefined): ClientName => {
  const known = CLIENT_NAMES.find(name => name === given)
  if (known !== undefined) return known
  const guess = given === undefined ? undefined : nearest(given, CLIENT_NAMES)
  const message = given === undefined ? 'The client is missing' : `There is no client ${given}`
  throw new QuarryError('BAD_INPUT', message, {
    hint: `quarry mcp ${action} ${guess ?? CLIENT_NAMES.join('|')}`,
  })
}

const summary = ({ client, file, change }: Registration, action: string, dryRun: boolean): string => {
  const { title } = CLIENTS[client]
  const place = sanitiseLine(file)
  if (change === 'none')
    return action === 'install' ? `${title}: ${place} has it already` : `${title}: ${place} does not have it`
  return dryRun
    ? `${title}: nothing was written; it would be ${change} in ${place}`
    : `${title}: ${change} in ${place}`
}

/** By its name where the shell would find it: settings of a project are shared by people with other paths. */
const serverCommand = (): ServerCommand => {
  const names = process.platform === 'win32' ? ['quarry.cmd', 'quarry.exe'] : ['quarry']
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  if (folders.some(folder => names.some(name => isProgram(join(folder, name)))))
    return { command: 'quarry', args: ['mcp'] }
  return { command: process.execPath, args: [fileURLToPath(new URL('../main.js', import.meta.url)), 'mcp'] }
}

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
