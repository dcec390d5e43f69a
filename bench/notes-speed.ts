/**
 * `npm run bench -- notes-speed`: 100,000 turns of made-up talk. How long they take to note and to index (first stage), and how
 * long a warm question waits, with nothing new and right after something was remembered.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openQuarry } from '#dist/index.js'
import { appendResult, commandLine } from './report/result-line.js'
import { repositoryRoot } from './sets/places.js'

const SESSIONS = 1_000
const TURNS = 100
const QUESTIONS = 200
const VOCABULARY = 30_000

export const measureNotesSpeed = async (scratch: string): Promise<void> => {
  const root = join(scratch, 'notes-speed')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  const random = numbers(20_261_116)
  const file = join(root, 'talk.jsonl')
  writeFileSync(
    file,
    Array.from({ length: SESSIONS }, (_, session) => sessionLines(session, random)).join(''),
  )
  const environment = { ...process.env, QUARRY_HOME: join(root, 'home'), QUARRY_OFFLINE: '1' }
  const quarry = await openQuarry({ root, environment })
  const importSeconds = await seconds(() => quarry.notes.add([file]))
  const againSeconds = await seconds(() => quarry.notes.add([file]))
  const indexSeconds = await seconds(() => quarry.index({ only: 'notes', stage: 'first' }))
  const questions = Array.from({ length: QUESTIONS }, () => `what about ${words(6, random)}`)
  for (const question of questions.slice(0, 10)) await quarry.recall(question, { rerank: false })
  const times: number[] = []
  const before = process.cpuUsage()
  for (const question of questions)
    times.push(1_000 * (await seconds(() => quarry.recall(question, { rerank: false }))))
  // On a machine that others use too the clock says more about them.
  const { user, system } = process.cpuUsage(before)
  const afterwards: number[] = []
  for (const question of questions.slice(0, 20)) {
    await quarry.notes.remember(`remember ${question}`)
    afterwards.push(1_000 * (await seconds(() => quarry.recall(question, { rerank: false }))))
  }
  await quarry.close()
  const metrics = {
    ...{ importSeconds, againSeconds, indexSeconds },
    ...{ p50: quantile(times, 0.5), p95: quantile(times, 0.95), p50AfterRemember: quantile(afterwards, 0.5) },
    cpuMean: (user + system) / 1_000 / QUESTIONS,
  }
  console.log(JSON.stringify(metrics))
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    ...{
      name: 'notes-speed',
      command: commandLine(process.argv.slice(2)),
      dataHash: `made-up-${SESSIONS}x${TURNS}`,
    },
    config: { sessions: SESSIONS, turns: SESSIONS * TURNS, vectors: 'static' },
    ...{ metrics, n: QUESTIONS },
  })
  rmSync(root, { recursive: true, force: true })
}

const sessionLines = (session: number, random: () => number): string =>
  Array.from({ length: TURNS }, (_, turn) => {
    const time = new Date(Date.UTC(2020, 0, 1) + session * 86_400_000 + turn * 60_000).toISOString()
    const speaker = turn % 2 === 0 ? 'Ada' : 'Ben'
    return `${JSON.stringify({ session: `s${session}`, time, speaker, text: words(8 + Math.floor(random() * 24), random) })}\n`
  }).join('')

/** As in real talk few words are frequent and most are rare. */
const words = (count: number, random: () => number): string =>
  Array.from({ length: count }, () => `w${Math.floor(VOCABULARY ** random()).toString(36)}`).join(' ')

/** The same on every machine. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
  return seed / 4_294_967_296
}

const quantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1_000
}
