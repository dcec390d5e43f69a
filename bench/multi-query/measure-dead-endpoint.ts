/**
 * `npm run bench -- dead-endpoint`: what an expander that does not answer adds to the same search without one, beyond its time-out.
 * Both searches take turns in one run, in a process that stays and as a command of its own.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { openQuarry } from '#dist/index.js'
import { generateRepository } from '../load/generate-repository.js'
import { recordResult } from '../report/result-line.js'
import { repositoryRoot } from '../sets/places.js'

const FILES = 500
/** A service that failed three times in a row is left in peace: so many failures are measured of one engine. */
const ROUNDS = 5
const FAILURES_OF_AN_ENGINE = 2
const COMMANDS = 8
const TIMEOUTS_MS = [200, 1_000, 3_000]
const QUESTION = 'retry the request until the worker answers'
const MAIN = join(repositoryRoot, 'dist/cli/main.js')

interface Endpoint {
  readonly name: string
  readonly baseUrl: string
  /** What the expander is allowed to cost. */
  readonly timeoutMs: number
  /** What it has to cost at least: a refusal comes at once. */
  readonly expectedMs: number
}

export const measureDeadEndpoint = async (scratch: string): Promise<void> => {
  const root = join(scratch, 'dead-endpoint/work')
  const home = join(scratch, 'dead-endpoint/home')
  rmSync(home, { recursive: true, force: true })
  generateRepository(root, FILES)
  const silent = await listen(() => {})
  // Headers come, the rest never does.
  const half = await listen(socket =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"choices"'),
  )
  const closed = await listen(() => {})
  const refusing = closed.baseUrl
  await closed.close()
  const endpoints: Endpoint[] = [
    ...TIMEOUTS_MS.map(timeoutMs => ({
      ...{ name: 'accepts, never answers', baseUrl: silent.baseUrl, timeoutMs, expectedMs: timeoutMs },
    })),
    { name: 'begins an answer', baseUrl: half.baseUrl, timeoutMs: 1_000, expectedMs: 1_000 },
    { name: 'refuses the connection', baseUrl: refusing, timeoutMs: 3_000, expectedMs: 0 },
  ]
  try {
    for (const endpoint of endpoints)
      for (const [way, measure, rounds] of [
        ['warm process', inProcess, ROUNDS],
        ['command', asCommand, COMMANDS],
      ] as const) {
        const pairs: Pair[] = []
        for (let round = 0; round < rounds; round++) pairs.push(...(await measure(endpoint, root, home)))
        await record(endpoint, way, pairs)
      }
  } finally {
    await silent.close()
    await half.close()
  }
}

/** Milliseconds of one search without an expander, and of the next with a dead one. */
interface Pair {
  readonly without: number
  readonly with: number
}

const inProcess = async (endpoint: Endpoint, root: string, home: string): Promise<readonly Pair[]> => {
  const environment = { ...process.env, QUARRY_HOME: home }
  const quarry = await openQuarry({ root, environment, overrides: { 'embedding.models': [] } })
  const dead = await openQuarry({ root, environment, overrides: overridesOf(endpoint) })
  await quarry.index({ stage: 'first', history: false })
  const ask = async (engine: typeof quarry, isDead: boolean): Promise<number> => {
    const started = performance.now()
    const { warnings, hits } = await engine.search(QUESTION, { refresh: 'never' })
    const elapsed = performance.now() - started
    const failed = warnings.some(({ code }) => code === 'EXPANSION_FAILED')
    if (failed !== isDead || hits.length === 0)
      throw new Error(`not what was to be measured: ${JSON.stringify(warnings)}`)
    return elapsed
  }
  // Wordings of the caller ask no service, and warm everything else.
  for (let number = 0; number < 10; number++)
    for (const engine of [quarry, dead])
      await engine.search(QUESTION, { refresh: 'never', queries: ['retry'] })
  const pairs: Pair[] = []
  for (let number = 0; number < FAILURES_OF_AN_ENGINE; number++)
    pairs.push({ without: await ask(quarry, false), with: await ask(dead, true) })
  await quarry.close()
  await dead.close()
  return pairs
}

const asCommand = async (endpoint: Endpoint, root: string, home: string): Promise<readonly Pair[]> => {
  const ask = async (...flags: string[]): Promise<number> => {
    const started = performance.now()
    const child = spawn(process.execPath, [MAIN, 'search', QUESTION, '--json', ...flags], {
      cwd: root,
      env: {
        ...process.env,
        ...{ QUARRY_HOME: home, QUARRY_BACKGROUND: '0', QUARRY_EMBEDDING_MODELS: '' },
        ...{ QUARRY_EXPANDER_BASE_URL: endpoint.baseUrl, QUARRY_EXPANDER_MODEL: 'dead' },
        QUARRY_EXPANDER_TIMEOUT_MS: String(endpoint.timeoutMs),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    await once(child, 'close')
    const elapsed = performance.now() - started
    if (text.includes('EXPANSION_FAILED') !== flags.length > 0)
      throw new Error(`not what was to be measured: ${text}`)
    return elapsed
  }
  return [{ without: await ask(), with: await ask('--multi-query') }]
}

const overridesOf = ({ baseUrl, timeoutMs }: Endpoint): Record<string, unknown> => ({
  ...{ 'embedding.models': [], 'multiQuery.enabled': true, 'expander.kind': 'openai' },
  ...{ 'expander.baseUrl': baseUrl, 'expander.model': 'dead', 'expander.timeoutMs': timeoutMs },
})

const record = async (
  { name, timeoutMs, expectedMs }: Endpoint,
  way: string,
  pairs: readonly Pair[],
): Promise<void> => {
  const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b)
  const beyond = sorted(pairs.map(pair => pair.with - pair.without - expectedMs))
  const [without, withDead] = [sorted(pairs.map(pair => pair.without)), sorted(pairs.map(pair => pair.with))]
  const metrics = {
    'ms without': without[pairs.length >> 1]!,
    'ms with': withDead[pairs.length >> 1]!,
    // What other programs of a shared machine add is in neither.
    'ms beyond the time-out, least of each': withDead[0]! - without[0]! - expectedMs,
    'ms beyond the time-out, p50': beyond[beyond.length >> 1]!,
    'ms beyond the time-out, worst': beyond.at(-1)!,
    'load average': loadavg()[0]!,
  }
  const rounded = Object.fromEntries(
    Object.entries(metrics).map(([metric, value]) => [metric, Math.round(value * 10) / 10]),
  )
  console.log(name, timeoutMs, way, JSON.stringify(rounded))
  await recordResult({
    ...{ name: 'dead-endpoint', dataHash: 'generated' },
    ...{ config: { endpoint: name, timeoutMs, way, files: FILES }, metrics: rounded, n: pairs.length },
  })
}

const listen = async (
  answer: (socket: Socket) => void,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> => {
  const sockets = new Set<Socket>()
  const server: Server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    answer(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
