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
  const hint = guess === undefined ? HINTS[code] : guess.replace('Did', 'did').replaceAll('\n', ' ')
  return withHint('BAD_INPUT', said, hint ?? 'quarry --help')
}

const HINTS: Readonly<Record<string, string>> = {
  'commander.unknownOption':
    'quarry --help; to search for text that starts with a dash: quarry search -- "--text"',
  'commander.excessArguments': 'put the question in quotes: quarry search "several words"',
  'commander.missingArgument': 'quarry search "what you are looking for"',
}

const render = ({ message, hint }: Failure, { paint }: Terminal): string => {
  const said = `${paint.error('error:')} ${sanitiseLine(message)}\n`
  return hint === undefined ? said : `${said}${paint.faint(' hint:')} ${sanitiseLine(hint)}\n`
}

const traceOf = (error: Error): string =>
  error.cause instanceof Error
    ? `${error.stack}\ncaused by ${traceOf(error.cause)}`
    : (error.stack ?? String(error))
