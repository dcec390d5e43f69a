/** `quarry mcp`: the server on stdin and stdout, from its first byte to the end of its input. Ready before anything heavy loads. */

import { setTimeout as pause } from 'node:timers/promises'
import { StdioServerTransport, serveStdio as serveOver } from '@modelcontextprotocol/server/stdio'
import { claimStdout } from './claim-stdout.js'
import { inputLines } from './input-lines.js'
import { openRoots, type RootsOptions } from './open-roots.js'
import { buildServer, deskOf } from './server.js'

export interface ServeOptions extends RootsOptions {
  readonly version: string
  /** For people, on stderr. */
  readonly talk: (text: string) => void
  readonly signal: AbortSignal
}

/** After the end of the input: for calls to be answered, then for files to be closed. Together less than two seconds. */
const ANSWER_MS = 1_000
const CLOSE_MS = 700
/** What came with the last bytes has to be read before it counts as a call. */
const READ_MS = 30

export const serveStdio = async (options: ServeOptions): Promise<void> => {
  const { version, talk, signal: given, ...rootsOptions } = options
  const { output, release } = claimStdout()
  const ended = new AbortController()
  const signal = AbortSignal.any([given, ended.signal])
  const roots = openRoots(rootsOptions, signal)
  const openDesk = deskOf(roots)
  let calls = 0
  const settled = async (): Promise<void> => {
    const until = Date.now() + ANSWER_MS
    do await pause(READ_MS)
    while (calls > 0 && Date.now() < until)
  }
  const input = inputLines(process.stdin, {
    settled,
    onDropped: why => talk(`quarry mcp: passed over ${why}\n`),
  })
  const handle = serveOver(
    () =>
      buildServer({
        version,
        openDesk,
        onRequest: () => {
          calls++
          return () => {
            calls--
          }
        },
      }),
    {
      transport: new StdioServerTransport(input, output),
      onerror: error => talk(`quarry mcp: ${firstLine(error.message)}\n`),
    },
  )
  await endOf(input, signal)
  ended.abort()
  await Promise.race([
    Promise.allSettled([handle.close(), ...[...roots.values()].map(root => root.close())]),
    pause(CLOSE_MS),
  ])
  release()
}

const endOf = (input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    input.once('end', resolve).once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 300)
