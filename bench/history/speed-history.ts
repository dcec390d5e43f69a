/**
 * `npm run bench -- history-speed --sets owner/name`: how long history takes, as ratios to git itself in the same run: indexing
 * against `git log -p`, a second run against `git rev-list`, the size against the text of all diffs, warm questions
 * (as they are, with exact symbols, reranked), explain.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexState, openQuarry, type Quarry, type SearchRequest } from '#dist/index.js'
import { recordResult } from '../report/result-line.js'
import { findPlaces, repositoryRoot } from '../sets/places.js'
import { findRepository } from '../sets/repository.js'

const MAIN = join(repositoryRoot, 'dist/cli/main.js')
const QUESTIONS = 60

export const measureHistorySpeed = async (
  repositories: readonly string[],
  scratch: string,
): Promise<void> => {
  for (const slug of repositories) {
    const url = `https://github.com/${slug}.git`
    const directory = await findRepository({ slug, url }, findPlaces(), scratch)
    const home = join(scratch, 'history-speed-home')
    rmSync(home, { recursive: true, force: true })
    borrowModels(scratch, home)
    const environment = { ...process.env, QUARRY_HOME: home, QUARRY_BACKGROUND: '0', QUARRY_OFFLINE: '1' }
    const metrics = {
      ...indexing(directory, environment),
      ...(await questions(directory, environment)),
    }
    console.log(slug, JSON.stringify(metrics, null, 1))
    await recordResult({
      ...{ name: 'history-speed', dataHash: headOf(directory) },
      ...{ config: { repository: slug }, metrics, n: 1 },
    })
  }
}

const indexing = (directory: string, environment: NodeJS.ProcessEnv): Record<string, number> => {
  const log = time('git', ['-C', directory, 'log', '-p', '-U3', '-M'])
  const diffBytes = Buffer.byteLength(gitBytes(directory, ['log', '-p', '-U3', '-M']))
  const index = time(
    '/usr/bin/time',
    [...['-v', process.execPath, MAIN, 'index', '--fast', '--repo', directory, '--trust']],
    environment,
  )
  const list = time('git', ['-C', directory, 'rev-list', '--all'])
  const again = time(process.execPath, [MAIN, 'index', '--fast', '--repo', directory, '--trust'], environment)
  const bytes = sizeOf(join(environment.QUARRY_HOME!, 'data'))
  const peak = Number(/Maximum resident set size \(kbytes\): (\d+)/.exec(index.stderr)?.[1]) / 1024
  return {
    gitLogSeconds: log.seconds,
    indexSeconds: index.seconds,
    indexRatio: index.seconds / log.seconds,
    revListSeconds: list.seconds,
    againSeconds: again.seconds,
    againRatio: again.seconds / list.seconds,
    diffMegabytes: diffBytes / 1e6,
    indexMegabytes: bytes / 1e6,
    sizeRatio: bytes / diffBytes,
    peakMegabytes: peak,
  }
}

/** The subjects of commits, spread over the history, as questions. */
const questions = async (
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<Record<string, number>> => {
  const subjects = git(directory, ['log', '--no-merges', '--format=%s']).split('\n').filter(Boolean)
  const step = Math.max(1, Math.floor(subjects.length / QUESTIONS))
  const asked = subjects.filter((_, at) => at % step === 0).slice(0, QUESTIONS)
  const quarry = await openQuarry({ root: directory, environment, trust: true })
  const plain = await timeQuestions(quarry, asked, {})
  const exact = await timeQuestions(quarry, asked, { exactSymbols: true })
  const explaining = await explainAgainstBlame(quarry, directory)
  await quarry.close()
  const reranking = await openQuarry({
    ...{ root: directory, environment, trust: true },
    overrides: { 'rerank.enabled': true },
  })
  const reranked = await timeQuestions(reranking, asked, {})
  await reranking.close()
  return {
    commits: plain.state.documents,
    hunks: plain.state.chunks - plain.state.documents,
    findMedianMilliseconds: plain.median,
    findSlowMilliseconds: plain.slow,
    exactMedianMilliseconds: exact.median,
    exactSlowMilliseconds: exact.slow,
    ...(reranked.isReranked && {
      rerankMedianMilliseconds: reranked.median,
      rerankSlowMilliseconds: reranked.slow,
    }),
    ...explaining,
  }
}

const WARMING = 5

/** In a warm process: the first few questions do not count. */
const timeQuestions = async (quarry: Quarry, asked: readonly string[], request: SearchRequest) => {
  const times: number[] = []
  let isReranked = true
  let state: IndexState | undefined
  for (const [at, question] of [...asked.slice(0, WARMING), ...asked].entries()) {
    const start = performance.now()
    const { index, hits } = await quarry.find(question, { ...request, refresh: 'never' })
    if (at >= WARMING) times.push(performance.now() - start)
    state = index
    if (at === 0) {
      const told = await quarry.find(question, { ...request, refresh: 'never', explain: true })
      isReranked = told.hits[0]?.explain?.some(({ stage }) => stage === 'rerank') ?? hits.length === 0
    }
  }
  times.sort((a, b) => a - b)
  return {
    state: state!,
    isReranked,
    median: times[times.length >> 1]!,
    slow: times[Math.floor(times.length * 0.95)]!,
  }
}

/** Of the other benchmarks, where they have fetched any: reranking needs one. */
const borrowModels = (scratch: string, home: string): void => {
  const models = join(scratch, 'home/cache/models')
  if (!existsSync(models)) return
  mkdirSync(join(home, 'cache'), { recursive: true })
  cpSync(models, join(home, 'cache/models'), { recursive: true })
}

const EXPLAINED_FILES = 8
const FIRST_LINE = 100
const LAST_LINE = 140

/** Lines of the largest source files: the exact part of `explain` against `git blame` with the same options. */
const explainAgainstBlame = async (quarry: Quarry, directory: string): Promise<Record<string, number>> => {
  const files = git(directory, ['ls-tree', '-r', '-l', 'HEAD'])
    .split('\n')
    .map(line => /^\S+ blob \S+ +(\d+)\t(.*\.(?:py|js|ts|go))$/.exec(line))
    .flatMap(match => (match ? [{ bytes: Number(match[1]), path: match[2]! }] : []))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, EXPLAINED_FILES)
  const ratios: number[] = []
  for (const { path } of files) {
    const place = { path, startLine: FIRST_LINE, endLine: LAST_LINE }
    const lines = `-L${FIRST_LINE},${LAST_LINE}`
    const blame = time('git', [
      '-C',
      directory,
      'blame',
      '--incremental',
      '-M',
      '-C',
      lines,
      'HEAD',
      '--',
      path,
    ])
    const start = performance.now()
    await quarry.explain(place, { related: false })
    ratios.push((performance.now() - start) / 1000 / blame.seconds)
  }
  ratios.sort((a, b) => a - b)
  return ratios.length === 0 ? {} : { explainRatio: ratios[ratios.length >> 1]! }
}

const time = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) => {
  const start = performance.now()
  const ran = spawnSync(command, args, { env, maxBuffer: 4e9, stdio: ['ignore', 'ignore', 'pipe'] })
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${ran.stderr}`)
  return { seconds: (performance.now() - start) / 1000, stderr: String(ran.stderr) }
}

const gitBytes = (directory: string, args: readonly string[]): Buffer =>
  spawnSync('git', ['-C', directory, ...args], { maxBuffer: 4e9 }).stdout

const git = (directory: string, args: readonly string[]): string => gitBytes(directory, args).toString()

const headOf = (directory: string): string => git(directory, ['rev-parse', 'HEAD']).trim()

const sizeOf = (path: string): number => {
  const status = statSync(path)
  if (!status.isDirectory()) return status.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
