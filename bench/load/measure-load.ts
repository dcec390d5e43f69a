/**
 * `npm run bench -- load`: sixteen agents over HTTP and four over stdio ask for what is theirs while one process indexes a
 * repository of 5,000 files again and again. Counts what must never happen, and says what they wait and what the server needs.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { appendResult, commandLine } from '../report/result-line.js'
import { repositoryRoot } from '../sets/places.js'
import { askOnce, askUntil, newTally, type Own, type Tally } from './ask-for-own.js'
import { generateRepository, nonceOf, touchFiles, writeOwn } from './generate-repository.js'
import { environmentOf, MAIN, type Place, startHttp, startStdio, type Vitals, vitalsOf } from './servers.js'

export interface LoadOptions {
  readonly scratch: string
  readonly seconds: number
  readonly files: number
  readonly http: number
  readonly stdio: number
  /** Between two calls of a client, on average. */
  readonly pauseMs: number
}

const REPOSITORIES = ['large', 'other'] as const
const OTHER_FILES = 100
const TOUCHED_FILES = 60

export const measureLoad = async (options: LoadOptions): Promise<void> => {
  const base = join(options.scratch, 'load')
  const place: Place = { home: join(base, 'home'), directories: REPOSITORIES.map(name => join(base, name)) }
  rmSync(place.home, { recursive: true, force: true })
  const [large, other] = place.directories as [string, string]
  generateRepository(large, options.files)
  generateRepository(other, OTHER_FILES)
  let version = 1
  const owns = Array.from({ length: options.http + options.stdio }, (_, client): Own => {
    // Every other client asks in the other repository, for another word in a file of the same name.
    const repo = REPOSITORIES[client % 2]!
    return { client, repo, nonce: nonceOf(repo, client) }
  })
  const writeOwns = () => {
    for (const { client, repo, nonce } of owns) writeOwn(join(base, repo!), client, nonce, version)
  }
  writeOwns()
  await index(place, large)
  await index(place, other)
  const alone = await secondsOf(() => index(place, large))

  const loopFile = join(base, 'loop.json')
  const server = await startHttp(place, loopFile)
  const stdio = await Promise.all(Array.from({ length: options.stdio }, () => startStdio(place)))
  const http = await Promise.all(Array.from({ length: options.http }, () => server.connect()))
  const clients = [...http, ...stdio.map(({ client }) => client)]
  const pids = [server.process.pid!, ...stdio.map(({ pid }) => pid)]
  const tallies = { http: newTally(), stdio: newTally() }
  const tallyOf = (client: number): Tally => (client < options.http ? tallies.http : tallies.stdio)
  // What opens with the first call is not what is measured.
  await Promise.all(owns.map(own => askOnce(clients[own.client]!, own, () => version, newTally())))

  const until = Date.now() + options.seconds * 1000
  const vitals: (readonly Vitals[])[] = []
  const sampling = (async () => {
    while (Date.now() < until) {
      vitals.push(pids.map(vitalsOf))
      await pause(1_000)
    }
  })()
  let runs = 0
  let indexing = 0
  const loop = (async () => {
    while (Date.now() < until) {
      version++
      writeOwns()
      touchFiles(
        large,
        Array.from({ length: TOUCHED_FILES }, (_, n) => (version * 97 + n * 13) % options.files),
        version,
      )
      indexing += await secondsOf(() => index(place, large))
      runs++
      await index(place, other)
    }
  })()
  const asking = owns.map(own => {
    const { until: end, pauseMs } = { until, pauseMs: options.pauseMs }
    const versionNow = () => version
    return askUntil(clients[own.client]!, own, { until: end, pauseMs, versionNow }, tallyOf(own.client))
  })
  await Promise.all([...asking, sampling, loop])
  const delay = JSON.parse(readFileSync(loopFile, 'utf8')) as { p50: number; p99: number; max: number }
  const idle = await emptyCalls(clients)
  await Promise.all(http.map(client => client.close()))
  const stdinEnd = Math.max(...(await Promise.all(stdio.map(server => server.end()))))
  const signalEnd = await server.end()

  for (const [name, { errors, foreign, torn }] of Object.entries(tallies))
    if (errors.length + foreign.length + torn > 0)
      console.log(name, { torn, errors: [...new Set(errors)].slice(0, 5), foreign: foreign.slice(0, 5) })
  const all = [tallies.http, tallies.stdio]
  const sum = (of: (tally: Tally) => number) => all.reduce((total, tally) => total + of(tally), 0)
  const metrics = {
    calls: sum(({ times }) => times.length),
    errors: sum(({ errors }) => errors.length),
    'cross-talk': sum(({ foreign }) => foreign.length),
    torn: sum(({ torn }) => torn),
    ...spread(
      'all',
      all.flatMap(({ times }) => times),
    ),
    ...spread('http', tallies.http.times),
    ...spread('stdio', tallies.stdio.times),
    'empty call p50': middle(idle, 0.5),
    'http computing ms a call':
      (1000 * (vitals.at(-1)![0]!.seconds - vitals[0]![0]!.seconds)) / Math.max(1, tallies.http.times.length),
    'memory growth': growth(vitals.map(row => row.map(({ megabytes }) => megabytes))),
    'open files growth': growth(vitals.map(row => row.map(({ files }) => files))),
    'http server MB': vitals.at(-1)![0]!.megabytes,
    'loop delay p99': delay.p99,
    'loop delay max': delay.max,
    'index runs': runs,
    'indexing slow-down': indexing / Math.max(1, runs) / alone,
    'end after stdin EOF': stdinEnd,
    'end after SIGTERM': signalEnd,
    'load average': loadavg()[0]!,
  }
  const rounded = Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
  )
  console.log(JSON.stringify(rounded, null, 1))
  const { scratch, ...config } = options
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    ...{ name: 'load', command: commandLine(process.argv.slice(2)), dataHash: 'generated' },
    ...{ config, metrics: rounded, n: metrics.calls },
  })
}

const index = async (place: Place, directory: string): Promise<void> => {
  const args = [MAIN, 'index', '--fast', '--no-history', '--repo', directory]
  const child = spawn(process.execPath, args, { env: environmentOf(place), stdio: 'ignore' })
  await once(child, 'close')
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** The same clients with nothing to search: what the protocol and the machine cost without us. */
const emptyCalls = async (clients: readonly { listTools(): Promise<unknown> }[]) => {
  const times: number[] = []
  for (let round = 0; round < 5; round++)
    for (const client of clients) times.push(1000 * (await secondsOf(() => client.listTools())))
  return times
}

const spread = (name: string, times: readonly number[]): Record<string, number> => ({
  [`${name} p50`]: middle(times, 0.5),
  [`${name} p95`]: middle(times, 0.95),
  [`${name} p99`]: middle(times, 0.99),
})

const middle = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** The largest, over the processes: how much more the median of the last third is than that of the first. */
const growth = (rows: readonly (readonly number[])[]): number => {
  const third = Math.max(1, Math.floor(rows.length / 3))
  const of = (part: readonly (readonly number[])[], process: number) =>
    middle(
      part.map(row => row[process]!),
      0.5,
    )
  return Math.max(
    ...rows[0]!.map((_, process) => of(rows.slice(-third), process) / of(rows.slice(0, third), process) - 1),
  )
}
