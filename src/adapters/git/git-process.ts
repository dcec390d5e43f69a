/**
 * Runs the git binary: arguments, never a shell, in an environment that holds nothing of the user's and nothing of the
 * repository's. `shadow.ts` gives it the directory to work in; everything else of this adapter goes through it.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { QuarryError } from '../../core/errors.js'
import { OVER_MEMORY, watchMemory } from './watch-memory.js'

/** Where git works: our own directory, and the objects of the repository that is read. */
export interface GitPlace {
  /** Ours: the only configuration git sees lies in it. */
  readonly directory: string
  readonly objects: string
  /** The list of commits whose parents were not fetched, if there is one. */
  readonly shallowFile: string | null
  /** Paths may be patterns (`:(exclude)…`); they are plain names unless told. */
  readonly pathPatterns?: boolean
}

export interface GitInput {
  readonly input?: string | Iterable<string>
  readonly signal?: AbortSignal
}

export interface GitProcess {
  readonly output: AsyncIterable<Buffer>
  /** Never rejects, except with `GIT_MISSING` and `CANCELLED`. */
  readonly ended: Promise<GitEnd>
  /** Ends the process; harmless when it has ended. */
  stop(): void
}

export interface GitEnd {
  /** Null when it was killed. */
  readonly code: number | null
  /** The end of what it wrote to stderr. */
  readonly complaint: string
}

/** One allocation of git: a blob that is larger than this is a bomb, and git gives up instead of the machine. */
const LARGEST_ALLOCATION = '128m'
const LONGEST_COMPLAINT = 4000

export const startGit = (place: GitPlace, args: readonly string[], options: GitInput = {}): GitProcess => {
  const { input, signal } = options
  if (signal?.aborted) throw cancelled(signal)
  const child = spawn('git', args, {
    cwd: place.directory,
    env: environmentOf(place),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const stop = (): void => {
    child.kill('SIGKILL')
    // Unread output would keep the stream open, and `ended` waits for it.
    child.stdout.destroy()
  }
  let complaint = ''
  let isOverMemory = false
  const endTooLarge = (): void => {
    isOverMemory = true
    // Its output ends with it, and whoever reads hears why from `ended`.
    child.kill('SIGKILL')
  }
  // A list of millions of commits is long by right; what lists files is not.
  const endWatch = args[0] === 'rev-list' ? () => {} : watchMemory(child.pid, endTooLarge)
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-LONGEST_COMPLAINT)
  })
  // A process that ends early closes the pipe under us; why it did comes from `ended`.
  child.stdin.on('error', () => {})
  if (input === undefined) child.stdin.end()
  else if (typeof input === 'string') child.stdin.end(input)
  else Readable.from(input).pipe(child.stdin)
  signal?.addEventListener('abort', stop, { once: true })
  const ended = new Promise<GitEnd>((resolve, reject) => {
    child.on('error', error => reject(failureToStart(error, place)))
    child.on('close', code => {
      endWatch()
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(cancelled(signal))
      else resolve({ code, complaint: isOverMemory ? OVER_MEMORY : complaint.trim() })
    })
  })
  // Awaited later; without this a failure in between would count as unhandled.
  ended.catch(() => {})
  return { output: child.stdout, ended, stop }
}

export interface RunOptions extends GitInput {
  /** Output beyond this is an error: the caller has no use for it. */
  readonly maxBytes?: number
  readonly timeoutMilliseconds?: number
}

const LARGEST_OUTPUT = 512 * 1024 * 1024

/** The whole output of a command. `GIT_FAILED` with git's own words when it fails, `TIMEOUT` when it takes too long. */
export const runGit = async (
  place: GitPlace,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Buffer> => {
  const { maxBytes = LARGEST_OUTPUT, timeoutMilliseconds } = options
  const { output, ended, stop } = startGit(place, args, options)
  let isLate = false
  const timer = setTimeout(
    () => {
      isLate = true
      stop()
    },
    timeoutMilliseconds ?? 2 ** 31 - 1,
  )
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of output) {
      pieces.push(piece)
      length += piece.length
      if (length > maxBytes)
        throw new QuarryError('GIT_FAILED', `git ${args[0]} says more than ${maxBytes} bytes`)
    }
  } catch (error) {
    // A stream that was cut off says less than the reason for it.
    if (error instanceof QuarryError) throw error
  } finally {
    clearTimeout(timer)
    stop()
  }
  const { code, complaint } = await ended
  if (isLate) throw new QuarryError('TIMEOUT', `git ${args[0]} took longer than ${timeoutMilliseconds} ms`)
  if (code !== 0) throw gitFailed(args[0]!, complaint)
  return Buffer.concat(pieces)
}

export const gitFailed = (command: string, complaint: string): QuarryError =>
  new QuarryError('GIT_FAILED', `git ${command}: ${complaint || 'ended without a word'}`, {
    hint: 'git fsck says whether the repository is sound; quarry index --no-history leaves history out',
  })

const cancelled = (signal: AbortSignal): QuarryError =>
  new QuarryError('CANCELLED', 'Reading the history was cancelled', { cause: signal.reason })

const failureToStart = (error: NodeJS.ErrnoException, place: GitPlace): QuarryError =>
  error.code === 'ENOENT' && existsSync(place.directory)
    ? new QuarryError('GIT_MISSING', 'History needs git, and there is no git on this machine', {
        hint: 'install git, or leave history out: quarry index --no-history',
        cause: error,
      })
    : new QuarryError('GIT_FAILED', `git cannot be started: ${error.message}`, {
        hint: 'quarry index --no-history',
        cause: error,
      })

const environmentOf = ({ directory, objects, shallowFile, pathPatterns }: GitPlace): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  // Without it no process starts on Windows.
  ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_DIR: directory,
  GIT_OBJECT_DIRECTORY: objects,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  ...(pathPatterns ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
  GIT_ALLOC_LIMIT: LARGEST_ALLOCATION,
  ...(shallowFile !== null && existsSync(shallowFile) ? { GIT_SHALLOW_FILE: shallowFile } : {}),
})
