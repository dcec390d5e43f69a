/** An agent: the real MCP client, or bare bytes, against the real binary in a repository of its own. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, type ProgressNotificationParams } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished, vi } from 'vitest'
import { removeWhenQuiet } from '../fixtures/remove-when-quiet.js'

const MAIN = resolve(import.meta.dirname, '../../dist/cli/main.js')
/** A busy machine must not fail a test. */
const PATIENCE_MS = 120_000
vi.setConfig({ testTimeout: 2 * PATIENCE_MS })

export type Revision = '2025-11-25' | '2026-07-28'

export interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a tool answers is what the tests are about
  readonly data: any
}

export interface Agent {
  readonly client: Client
  call(
    name: string,
    given?: Record<string, unknown>,
    onProgress?: (progress: Partial<ProgressNotificationParams>) => void,
  ): Promise<Called>
}

export interface AgentOptions {
  readonly revision?: Revision
  readonly home?: string
  readonly args?: readonly string[]
}

export const temporary = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-mcp-')))
  onTestFinished(() => removeWhenQuiet(folder))
  return folder
}

const environment = (home: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  TMPDIR: tmpdir(),
  LANG: 'C.UTF-8',
  QUARRY_HOME: home,
  QUARRY_BACKGROUND: '0',
  QUARRY_OFFLINE: '1',
})

export const startAgent = async (directory: string, options: AgentOptions = {}): Promise<Agent> => {
  const { revision = '2026-07-28', home = temporary(), args = [] } = options
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...args],
    cwd: directory,
    env: environment(home),
    stderr: 'pipe',
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    async call(name, given = {}, onProgress) {
      const result = await client.callTool(
        { name, arguments: given },
        { timeout: PATIENCE_MS, ...(onProgress && { onprogress: onProgress }) },
      )
      const [first] = result.content as { type: string; text: string }[]
      return { isError: result.isError === true, text: first?.text ?? '', data: result.structuredContent }
    },
  }
}

export interface RawServer {
  readonly process: ChildProcessWithoutNullStreams
  send(text: string | Buffer): void
  /** The answer to a request, by its id. */
  answer(id: number | string): Promise<Record<string, unknown>>
  /** Everything that came on stdout and on stderr. */
  readonly said: { stdout: string; stderr: string }
  ended(): Promise<number | null>
}

export const startRaw = (
  directory: string,
  home: string = temporary(),
  node: readonly string[] = [],
): RawServer => {
  const child = spawn(process.execPath, [...node, MAIN, 'mcp'], { cwd: directory, env: environment(home) })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    said.stderr += text
  })
  child.stdin.on('error', () => {})
  const end = once(child, 'close').then(([code]) => code as number | null)
  return {
    process: child,
    said,
    ended: () => end,
    send: text => {
      child.stdin.write(text)
    },
    async answer(id) {
      const until = Date.now() + PATIENCE_MS
      while (Date.now() < until) {
        const found = messagesIn(said.stdout).find(
          message => message.id === id && message.method === undefined,
        )
        if (found) return found
        if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said.stderr}`)
        await new Promise(resume => setTimeout(resume, 10))
      }
      throw new Error(`no answer to ${id}: ${said.stderr}`)
    },
  }
}

/** Every line of stdout, which has to be one message of the protocol each. */
export const messagesIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map(line => {
      const message = JSON.parse(line)
      if (message.jsonrpc !== '2.0') throw new Error(`not a message: ${line.slice(0, 200)}`)
      return message
    })

export const request = (id: number | string, method: string, params: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`

export const initialize = (id: number | string): string =>
  request(id, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  })
