/** The servers under load, each the real binary, and the clients that ask them: started here, and ended by their own ids. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { repositoryRoot } from '../sets/places.js'

export const MAIN = join(repositoryRoot, 'dist/cli/main.js')
const WATCH = fileURLToPath(new URL('./watch-loop.js', import.meta.url))

export interface Place {
  readonly home: string
  /** The first is the one that a call means which names none. */
  readonly directories: readonly string[]
}

export const environmentOf = ({ home }: Place): Record<string, string> => ({
  ...{ PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' },
  ...{ QUARRY_HOME: home, QUARRY_BACKGROUND: '0', QUARRY_OFFLINE: '1' },
})

export interface HttpServer {
  readonly process: ChildProcess
  readonly url: URL
  connect(): Promise<Client>
  /** Milliseconds from the signal to its end. */
  end(): Promise<number>
}

export const startHttp = async (place: Place, loopFile: string): Promise<HttpServer> => {
  const args = ['--import', WATCH, MAIN, 'serve', '--port', '0', '--repo', ...place.directories]
  const child = spawn(process.execPath, args, {
    env: { ...environmentOf(place), LOAD_LOOP_FILE: loopFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // A run that fails leaves no server behind.
  process.once('exit', () => child.kill('SIGKILL'))
  const [first] = (await once(child.stdout!, 'data')) as [Buffer]
  const url = new URL(first.toString('utf8').trim())
  return {
    process: child,
    url,
    async connect() {
      const client = newClient()
      await client.connect(new StreamableHTTPClientTransport(url))
      return client
    },
    async end() {
      const begun = performance.now()
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
      return performance.now() - begun
    },
  }
}

export interface StdioServer {
  readonly client: Client
  readonly pid: number
  /** Milliseconds from the end of its input to its own. */
  end(): Promise<number>
}

export const startStdio = async (place: Place): Promise<StdioServer> => {
  const client = newClient()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--repo', ...place.directories],
    env: environmentOf(place),
  })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid!,
    async end() {
      const begun = performance.now()
      // Closes stdin, and comes back when the process has ended.
      await client.close()
      return performance.now() - begun
    },
  }
}

const newClient = (): Client =>
  new Client({ name: 'load', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })

export interface Vitals {
  readonly megabytes: number
  /** Open ones. */
  readonly files: number
  /** Computing time since its start: the same on a busy machine as on an idle one. */
  readonly seconds: number
}

const TICKS_A_SECOND = 100

/** What the system says of a process. Linux only, as the load test is. */
export const vitalsOf = (pid: number): Vitals => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return {
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND,
  }
}
