/** `quarry mcp`: the server on stdin and stdout, from its first byte to the end of its input. Ready before anything heavy loads. */

import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { claimStdout } from './claim-stdout.js'
import { greeter } from './greeting.js'
import { inputLines } from './input-lines.js'
import { openRoots, type RootsOptions } from './open-roots.js'

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
  const { output: real, release } = claimStdout()
  const ended = new AbortController()
  const signal = AbortSignal.any([given, ended.signal])
  const roots = openRoots(rootsOptions, signal)
  const { hear, output } = greeter(real, version)
  let calls = 0
  let attach = (): void => {}
  const attached = new Promise<void>(resolve => {
    attach = resolve
  })
  const settled = async (): Promise<void> => {
    await attached
    const until = Date.now() + ANSWER_MS
    do await pause(READ_MS)
    while (calls > 0 && Date.now() < until)
  }
  const input = inputLines(process.stdin, {
    settled,
    onLine: hear,
    onDropped: why => talk(`quarry mcp: passed over ${why}\n`),
  })
  // A client speaks first, and what it says is answered before anything else is done.
  await beginOf(input, signal)
  const [{ StdioServerTransport, serveStdio: serveOver }, { buildServer, deskOf }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('./server.js'),
  ])
  const openDesk = deskOf(roots)
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
  attach()
  await endOf(input, signal)
  ended.abort()
  await Promise.race([
    Promise.allSettled([handle.close(), ...[...roots.values()].map(root => root.close())]),
    pause(CLOSE_MS),
  ])
  release()
}

const beginOf = (input: Readable, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    // Nothing is taken from it: whoever reads it later finds all of it.
    if (input.readableLength > 0 || input.readableEnded || signal.aborted) resolve()
    input.once('readable', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const endOf = (input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    input.once('end', resolve).once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 300)
