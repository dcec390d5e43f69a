/** The one place where errors are rendered: what happened, and the next command to type. Returns the exit code. */

import { CommanderError } from 'commander'
import { type ErrorCode, QuarryError } from '../core/errors.js'
import { encode } from '../present/json.js'
import { sanitiseLine } from '../present/sanitise.js'
import type { Terminal } from './terminal.js'

interface Failure {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

/** As in `sysexits.h`, where scripts look for a reason to try again; everything else is 2. */
const EXIT_CODES: Partial<Record<ErrorCode, number>> = { DISK_FULL: 74, INDEX_LOCKED: 75, CANCELLED: 130 }

export const failWith = (error: unknown, terminal: Terminal): number => {
  // Help and version are "errors" to the parser; they have been printed already.
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  if (error instanceof CommanderError && error.code === 'commander.help') return 2
  const failure = failureOf(error)
  terminal.talk(terminal.json ? `${encode({ error: failure })}\n` : render(failure, terminal))
  if (process.env.QUARRY_DEBUG === '1' && error instanceof Error) terminal.talk(`${traceOf(error)}\n`)
  return EXIT_CODES[failure.code] ?? 2
}

const NO_ROOM: Readonly<Record<string, string>> = {
  ENOSPC: 'make room and run the command again',
  EDQUOT: 'make room within your quota and run the command again',
  EFBIG: 'ulimit -f unlimited, and run the command again',
}

/** An error as data. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof QuarryError) return withHint(error.code, error.message, error.hint)
  if (error instanceof CommanderError) return usageFailure(error)
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
  if (code !== undefined && NO_ROOM[code] !== undefined) {
    return withHint('DISK_FULL', `No room is left to write: ${message}`, NO_ROOM[code])
  }
  return withHint(
    'INTERNAL',
    message || 'something unexpected went wrong',
    'QUARRY_DEBUG=1 shows where it happened',
  )
}

const withHint = (code: ErrorCode, message: string, hint: string | undefined): Failure => ({
  code,
  message,
  ...(hint === undefined ? {} : { hint }),
})

/** The parser puts its suggestion into the message; here it becomes the hint it is. */
const usageFailure = ({ code, message }: CommanderError): Failure => {
  const [, said = message, guess] =
    /^(?:error: )?([\s\S]*?)(?:\n\((Did you mean [\s\S]*)\))?$/.exec(message) ?? []
  const hint = guess === undefined ? hintOf(code, said) : guess.replace('Did', 'did').replaceAll('\n', ' ')
  return withHint('BAD_INPUT', said, hint ?? 'quarry --help')
}

/** What is wrong with the words of a command is known by the command, or by the word that it misses. */
const hintOf = (code: string, said: string): string | undefined => {
  const [, name = ''] = /'([\w-]+)'/.exec(said) ?? []
  if (code === 'commander.excessArguments') return SURPLUS[name]
  return code === 'commander.missingArgument' ? MISSING[name] : HINTS[code]
}

const quoted = (verb: string): string => `put the words in quotes: quarry ${verb} "several words"`

const SURPLUS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['search', 'find', 'ask', 'recall', 'remember'].map(verb => [verb, quoted(verb)])),
  explain: 'quarry explain FILE:10 or FILE:10-20',
  similar: 'quarry similar FILE:10',
  index: 'one directory at a time: quarry index DIR',
  mcp: 'quarry mcp, or: quarry mcp install [client]',
}

const MISSING: Readonly<Record<string, string>> = {
  id: 'quarry forget ID; quarry notes list shows them',
  path: 'quarry notes add DIR',
  file: 'quarry notes import FILE',
  name: 'quarry models list',
}

const HINTS: Readonly<Record<string, string>> = {
  'commander.unknownOption':
    'quarry --help; to search for text that starts with a dash: quarry search -- "--text"',
}

const render = ({ message, hint }: Failure, { paint }: Terminal): string => {
  const said = `${paint.error('error:')} ${sanitiseLine(message)}\n`
  return hint === undefined ? said : `${said}${paint.faint(' hint:')} ${sanitiseLine(hint)}\n`
}

const traceOf = (error: Error): string =>
  error.cause instanceof Error
    ? `${error.stack}\ncaused by ${traceOf(error.cause)}`
    : (error.stack ?? String(error))
