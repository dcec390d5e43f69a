/**
 * `npm run bench -- speed`: how long people wait, as ratios to a yardstick in the same run: first answer against a bare parse
 * of the same files, an unchanged re-index against git's own listing, warm and one-shot questions, and the memory it takes.
 * `--only small` leaves out the 35,000 files.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { grammarParser } from '#dist/adapters/chunkers/tree-sitter/grammar.js'
import { LANGUAGES } from '#dist/adapters/chunkers/tree-sitter/languages/index.js'
import { openQuarry } from '#dist/index.js'
import { languageOf } from '#dist/text/language.js'
import { appendResult, commandLine } from './report/result-line.js'
import { loadSets } from './sets/load-sets.js'
import { findPlaces, repositoryRoot } from './sets/places.js'

const MAIN = join(repositoryRoot, 'dist/cli/main.js')
const LARGE_FILES = 35_000

export const measureSpeed = async (scratch: string, only?: string): Promise<void> => {
  const [set] = await loadSets(['code-search'], findPlaces(), scratch)
  const trees = await Promise.all(set!.corpora.map(corpus => corpus.prepare(scratch)))
  const texts = set!.corpora.flatMap(corpus => corpus.queries.map(query => query.text))
  // Others first: a process is warm when its code is, not when it has heard the question before.
  const questions = { others: texts.slice(100, 200), asked: texts.slice(0, 100) }
  const small = copyTrees(trees, join(scratch, 'speed-1000'), 1_000)
  const home = join(scratch, 'speed-home')
  rmSync(home, { recursive: true, force: true })
  const environment = { ...process.env, QUARRY_HOME: home, QUARRY_BACKGROUND: '0', QUARRY_OFFLINE: '1' }

  const parse = await seconds(() => bareParse(small))
  const first = await seconds(() =>
    run(environment, ['search', 'where is the request parsed', '--repo', small]),
  )
  await report('first answer', set!.hash, { parse, first, ratio: first / parse })

  // The stamps of what has just been copied count after two seconds; from then on a run finds nothing to do.
  await pause(3_000)
  await run(environment, ['index', '--fast', '--no-history', '--repo', small])
  const oneShot = await inTurn(15, {
    node: () => program(process.execPath, ['-e', '0']),
    search: () => run(environment, ['search', 'where is the request parsed', '--repo', small]),
  })
  await report('one-shot search, 1,000 files', set!.hash, {
    nodeMilliseconds: 1000 * oneShot.node,
    searchMilliseconds: 1000 * oneShot.search,
    ratio: oneShot.search / oneShot.node,
  })

  await report('warm question, 1,000 files', set!.hash, await warm(small, environment, questions))
  if (only === 'small') return

  const large = copyTrees(trees, join(scratch, 'speed-35000'), LARGE_FILES)
  const cold = spawnSync(
    '/usr/bin/time',
    ['-v', process.execPath, MAIN, 'index', '--fast', '--no-history', '--repo', large],
    {
      env: environment,
      encoding: 'utf8',
    },
  )
  const peakMegabytes =
    Number(/Maximum resident set size \(kbytes\): (\d+)/.exec(cold.stderr)?.[1] ?? Number.NaN) / 1024
  await run(environment, ['index', '--fast', '--no-history', '--repo', large])
  const git = (...args: readonly string[]) => program('git', ['-C', large, ...args])
  const { node, index, listing, others, status } = await inTurn(7, {
    node: () => program(process.execPath, ['-e', '0']),
    index: () => run(environment, ['index', '--fast', '--no-history', '--repo', large]),
    // Reads git's own index and no file of the tree.
    listing: () => git('ls-files', '-z'),
    // These look at the tree as we do: at its directories, and at each file.
    others: () => git('ls-files', '-z', '-co', '--exclude-standard'),
    status: () => git('-c', 'core.untrackedCache=false', 'status', '--porcelain'),
  })
  await report('unchanged re-index, 35,000 files', set!.hash, {
    ...{ node, index, listing, others, status },
    toNode: index / node,
    toListing: index / listing,
    toListingOfOthers: index / others,
    toStatus: index / status,
    peakMegabytes,
  })

  await report('warm question, 35,000 files', set!.hash, await warm(large, environment, questions))
}

const warm = async (
  root: string,
  environment: Record<string, string | undefined>,
  { others, asked }: { readonly others: readonly string[]; readonly asked: readonly string[] },
) => {
  const quarry = await openQuarry({ root, environment })
  const { index } = await quarry.search('warm up', { refresh: 'never' })
  const times: number[] = []
  for (const question of others) await quarry.search(question, { refresh: 'never' })
  for (const question of asked)
    times.push(1000 * (await seconds(() => quarry.search(question, { refresh: 'never' }))))
  await quarry.close()
  times.sort((a, b) => a - b)
  return {
    chunks: index.chunks,
    p50: times[times.length >> 1]!,
    p95: times[Math.floor(times.length * 0.95)]!,
  }
}

/** Files of real projects, repeated under other directory names until there are enough. */
const copyTrees = (trees: readonly string[], target: string, most: number): string => {
  if (existsSync(target)) return target
  mkdirSync(target, { recursive: true })
  for (let copied = 0, round = 0; copied < most; round++) {
    for (const [number, tree] of trees.entries()) {
      if (copied >= most) break
      cpSync(tree, join(target, `copy${round}`, `project${number}`), { recursive: true })
      copied += readdirSync(tree, { recursive: true, withFileTypes: true }).filter(entry =>
        entry.isFile(),
      ).length
    }
  }
  spawnSync('git', ['init', '-q', target])
  spawnSync('git', ['-C', target, 'add', '-A'])
  return target
}

const bareParse = async (root: string): Promise<void> => {
  const parser = await grammarParser(join(repositoryRoot, 'assets/grammars/'))
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.parentPath.includes('/.git')) continue
    const table = LANGUAGES.get(languageOf(entry.name))
    const language = table && (await parser.load(table.grammar))
    if (language)
      parser.parse(language, readFileSync(join(entry.parentPath, entry.name), 'utf8'), 10_000)?.delete()
  }
}

const program = async (command: string, args: readonly string[]): Promise<void> => {
  const { status, error } = spawnSync(command, args, { maxBuffer: 1 << 28 })
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`)
}

const run = async (
  environment: Record<string, string | undefined>,
  args: readonly string[],
): Promise<void> => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0 && status !== 1) throw new Error(stderr)
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** The median of each, in seconds. One after the other in every round, so that a busy machine slows them alike. */
const inTurn = async <Name extends string>(
  rounds: number,
  works: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Record<Name, number>> => {
  const times = new Map<Name, number[]>()
  for (let round = 0; round < rounds; round++)
    for (const [name, work] of Object.entries(works) as [Name, () => Promise<unknown>][])
      times.set(name, [...(times.get(name) ?? []), await seconds(work)])
  const medians = [...times].map(([name, values]) => [name, values.sort((a, b) => a - b)[rounds >> 1]!])
  return Object.fromEntries(medians) as Record<Name, number>
}

const report = async (what: string, dataHash: string, metrics: Record<string, number>): Promise<void> => {
  console.log(what, JSON.stringify(metrics))
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    name: 'speed',
    command: commandLine(process.argv.slice(2)),
    dataHash,
    config: { what },
    metrics: { ...metrics, loadAverage: loadavg()[0]! },
    n: 1,
  })
}
