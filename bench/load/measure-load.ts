/**
 * `npm run bench -- load`: sixteen agents over HTTP and four over stdio ask for what is theirs while one process indexes a
 * repository of 5,000 files again and again. Counts what must never happen, and says what they wait and what the server needs.
 */

import { loadavg } from 'node:os'
import { join } from 'node:path'
import { appendResult, commandLine } from '../report/result-line.js'
import { repositoryRoot } from '../sets/places.js'
import type { Tally } from './ask-for-own.js'
import { type LoadOptions, runLoad } from './run-load.js'

export const measureLoad = async (options: LoadOptions): Promise<void> => {
  const run = await runLoad(options)
  const { tallies, vitals } = run
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
    'empty call p50': middle(run.emptyCalls, 0.5),
    'http computing ms a call':
      (1000 * (vitals.at(-1)![0]!.seconds - vitals[0]![0]!.seconds)) / Math.max(1, tallies.http.times.length),
    'memory growth': growth(vitals.map(row => row.map(({ megabytes }) => megabytes))),
    'open files growth': growth(vitals.map(row => row.map(({ files }) => files))),
    'http server MB': vitals.at(-1)![0]!.megabytes,
    'loop delay p99': run.delay.p99,
    'loop delay max': run.delay.max,
    'index runs': run.runs,
    'indexing slow-down': run.indexed / run.indexedAlone,
    'end after stdin EOF': run.stdinEnd,
    'end after SIGTERM': run.signalEnd,
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
