/** Runs git for the benchmark: arguments, never a shell, and deaf to the settings of the host. */

import { spawn } from 'node:child_process'

/** Nothing of the caller's git may leak in: neither its settings nor the repository it may stand in. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
})

/** The whole output of a git command; throws with git's own words when it fails. */
export const git = async (args: readonly string[]): Promise<Buffer> => {
  const { child, ended } = start(args)
  child.stdin.end()
  const output: Buffer[] = []
  for await (const piece of child.stdout) output.push(piece)
  await ended
  return Buffer.concat(output)
}

export interface GitObject {
  readonly name: string
  /** Null when the repository does not hold it. */
  readonly content: Buffer | null
}

/** Reads objects in the order asked for, one at a time, through one process. */
export async function* readObjects(
  gitDirectory: string,
  names: readonly string[],
): AsyncGenerator<GitObject> {
  if (names.length === 0) return
  const { child, ended } = start(['--git-dir', gitDirectory, 'cat-file', '--batch'])
  // A consumer that leaves early closes the pipe under git; the failure that matters comes from `ended`.
  child.stdin.on('error', () => {})
  child.stdin.end(`${names.join('\n')}\n`)
  const take = byteReader(child.stdout)
  try {
    for (const name of names) {
      const heading = (await take('line')).toString('utf8')
      const size = /^[0-9a-f]+ [a-z]+ (\d+)$/.exec(heading)?.[1]
      if (size === undefined) {
        yield { name, content: null }
        continue
      }
      const content = await take(Number(size))
      await take(1)
      yield { name, content }
    }
    await ended
  } catch (error) {
    // When git gave up, its own words say more than the broken stream.
    await ended
    throw error
  } finally {
    child.kill()
    // Unread output would keep the stream open, and `ended` waits for it.
    child.stdout.destroy()
    await ended.catch(() => {})
  }
}

const start = (args: readonly string[]) => {
  const child = spawn('git', args, { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) resolve()
      else reject(new Error(`git ${args.join(' ')} failed: ${complaint.trim()}`))
    })
  })
  // Awaited later; without this a failure in between would count as unhandled.
  ended.catch(() => {})
  return { child, ended }
}

/** Takes a line (without its end) or a number of bytes from a stream of buffers. */
const byteReader = (stream: AsyncIterable<Buffer>) => {
  const source = stream[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  /** Collects pieces before joining them, so that a large object is copied once. */
  const holdUntil = async (enough: (piece: Buffer, total: number) => boolean): Promise<void> => {
    const pieces = [held]
    let total = held.length
    for (let piece = held; !enough(piece, total); ) {
      const next = await source.next()
      if (next.done) throw new Error('git ended before its answer did')
      piece = next.value
      pieces.push(piece)
      total += piece.length
    }
    if (pieces.length > 1) held = Buffer.concat(pieces)
  }

  return async (wanted: 'line' | number): Promise<Buffer> => {
    await holdUntil((piece, total) => (wanted === 'line' ? piece.includes(10) : total >= wanted))
    const length = wanted === 'line' ? held.indexOf(10) : wanted
    const taken = held.subarray(0, length)
    held = held.subarray(wanted === 'line' ? length + 1 : length)
    return taken
  }
}
