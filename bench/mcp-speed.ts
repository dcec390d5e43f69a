/**
 * `npm run bench -- mcp-speed`: what a call costs in a warm server over stdio, as the client sees it, at some 5,000 chunks and
 * without a reranker: against a call with nothing to do in the same run. The best of several rounds, since machines are shared.
 */

import { rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateRepository } from './load/generate-repository.js'
import { type StdioServer, startStdio, vitalsOf } from './load/servers.js'
import { appendResult, commandLine } from './report/result-line.js'
import { repositoryRoot } from './sets/places.js'

const ROUNDS = 5
const CALLS = 40
/** A look for changes holds for a second: calls that are further apart each pay for one. */
const APART_MS = 1_200
const CALLS_APART = 10

const QUESTIONS = [
  'where is the session merged',
  'retry the request until the worker answers',
  'how is an invoice validated',
  'close the cache of the router',
  'openParser12',
]

export const measureMcpSpeed = async (scratch: string, files: number): Promise<void> => {
  const directory = join(scratch, 'load', 'still')
  const home = join(scratch, 'load', 'still-home')
  rmSync(home, { recursive: true, force: true })
  generateRepository(directory, files)
  const server = await startStdio({ home, directories: [directory] })
  const search = (number: number) => ask(server, QUESTIONS[number % QUESTIONS.length]!)
  // Made by the first call, and young files are looked at twice.
  const { index } = (await search(0)).structuredContent as { index: { chunks: number } }
  await pause(3_000)
  for (let number = 0; number < 10; number++) await search(number)
  const rounds: { empty: number; call: number }[] = []
  let computing = 0
  for (let round = 0; round < ROUNDS; round++) {
    const empty = await medianOf(CALLS, () => server.client.listTools())
    const before = vitalsOf(server.pid).seconds
    rounds.push({ empty, call: await medianOf(CALLS, search) })
    computing += vitalsOf(server.pid).seconds - before
  }
  const apart: number[] = []
  for (let number = 0; number < CALLS_APART; number++) {
    await pause(APART_MS)
    apart.push(await medianOf(1, () => search(number)))
  }
  await server.end()
  const call = Math.min(...rounds.map(round => round.call))
  const empty = Math.min(...rounds.map(round => round.empty))
  const metrics = {
    ...{ chunks: index.chunks, 'call p50': call, 'empty call p50': empty, ratio: call / empty },
    'call p50, worst round': Math.max(...rounds.map(round => round.call)),
    'call after a pause, p50': apart.sort((a, b) => a - b)[CALLS_APART >> 1]!,
    'call after a pause, least': apart[0]!,
    'computing ms a call': (1000 * computing) / (ROUNDS * CALLS),
    'load average': loadavg()[0]!,
  }
  const rounded = Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
  )
  console.log(JSON.stringify(rounded, null, 1))
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    ...{ name: 'mcp-speed', command: commandLine(process.argv.slice(2)), dataHash: 'generated' },
    ...{
      config: { files, rounds: ROUNDS, statistic: 'best median of rounds' },
      metrics: rounded,
      n: ROUNDS * CALLS,
    },
  })
}

const ask = async ({ client }: StdioServer, query: string) => {
  const result = await client.callTool(
    { name: 'semantic_search', arguments: { query } },
    { timeout: 120_000 },
  )
  if (result.isError) throw new Error(JSON.stringify(result.content))
  return result
}

const medianOf = async (times: number, work: (number: number) => Promise<unknown>): Promise<number> => {
  const taken: number[] = []
  for (let number = 0; number < times; number++) {
    const begun = performance.now()
    await work(number)
    taken.push(performance.now() - begun)
  }
  return taken.sort((a, b) => a - b)[times >> 1]!
}
