/** `quarry mcp`: the server on stdin and stdout, from its first byte to the end of its input. Ready before anything heavy loads. */

import { setTimeout as pause } from 'node:timers/promises'
import { StdioServerTransport, serveStdio as serveOver } from '@modelcontextprotocol/server/stdio'
import type { OpenOptions, Quarry } from '../index.js'
import { claimStdout } from './claim-stdout.js'
import { inputLines } from './input-lines.js'
import { openRoot, type Root } from './root.js'
import { rootNames } from './root-names.js'
import { buildServer } from './server.js'

export interface ServeOptions {
  /** Real, absolute directories; nothing outside of them is ever read. */
  readonly roots: readonly string[]
  /** False where the only root is where the server was started, and nobody named it. */
  readonly isChosen: boolean
  readonly version: string
  readonly overrides: NonNullable<OpenOptions['overrides']>
  /** Loads the engine: called by the first call of a tool, not before. */
  readonly openQuarry: (options: OpenOptions) => Promise<Quarry>
  readonly fillInBehind: (quarry: Quarry) => Promise<boolean>
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
  const { version, talk } = options
  const { output, release } = claimStdout()
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  const roots = rootsOf(options, signal)
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
        roots,
        onCall: () => {
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

const rootsOf = (options: ServeOptions, signal: AbortSignal): ReadonlyMap<string, Root> => {
  const { roots, isChosen, overrides, openQuarry, fillInBehind } = options
  return new Map(
    rootNames(roots).map((name, position) => {
      const directory = roots[position]!
      return [name, openRoot({ directory, isChosen, overrides, openQuarry, fillInBehind, signal })]
    }),
  )
}

const endOf = (input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    input.once('end', resolve).once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 300)
