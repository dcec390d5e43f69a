/** The load itself: a repository that is indexed again and again, servers, and clients that each ask for what is theirs. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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

export interface LoadRun {
  readonly tallies: { readonly http: Tally; readonly stdio: Tally }
  /** Of every server, the one over HTTP first, about once a second. */
  readonly vitals: readonly (readonly Vitals[])[]
  /** How late the event loop of the HTTP server ran, in milliseconds. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly emptyCalls: readonly number[]
  /** How often the large repository was indexed, and the mean of seconds it took, under load and before. */
  readonly runs: number
  readonly indexed: number
  readonly indexedAlone: number
  /** Milliseconds to the end of the slowest server. */
  readonly stdinEnd: number
  readonly signalEnd: number
}

const REPOSITORIES = ['large', 'other'] as const
const OTHER_FILES = 100
const TOUCHED_FILES = 60

export const runLoad = async (options: LoadOptions): Promise<LoadRun> => {
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
  const indexedAlone = await secondsOf(() => index(place, large))

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
  const indexed = indexing / Math.max(1, runs)
  return { tallies, vitals, delay, emptyCalls: idle, runs, indexed, indexedAlone, stdinEnd, signalEnd }
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
