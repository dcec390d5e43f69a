/**
 * `npm run bench -- speed`: how long people wait, as ratios to a yardstick in the same run: first answer against a bare parse
 * of the same files, an unchanged re-index against git's own listing, warm and one-shot questions, and the memory it takes.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { grammarParser } from '#dist/adapters/chunkers/tree-sitter/grammar.js'
import { LANGUAGES } from '#dist/adapters/chunkers/tree-sitter/languages/index.js'
import { openQuarry } from '#dist/index.js'
import { languageOf } from '#dist/text/language.js'
import { appendResult, commandLine } from './report/result-line.js'
import { loadSets } from './sets/load-sets.js'
import { findPlaces, repositoryRoot } from './sets/places.js'

const MAIN = join(repositoryRoot, 'dist/cli/main.js')
const LARGE_FILES = 35_000

export const measureSpeed = async (scratch: string): Promise<void> => {
  const [set] = await loadSets(['code-search'], findPlaces(), scratch)
  const trees = await Promise.all(set!.corpora.map(corpus => corpus.prepare(scratch)))
  const texts = set!.corpora.flatMap(corpus => corpus.queries.map(query => query.text))
  // Others first: a process is warm when its code is, not when it has heard the question before.
  const questions = { others: texts.slice(100, 200), asked: texts.slice(0, 100) }
  const small = copyTrees(trees, join(scratch, 'speed-1000'), 1_000)
  const large = copyTrees(trees, join(scratch, 'speed-35000'), LARGE_FILES)
  const home = join(scratch, 'speed-home')
  rmSync(home, { recursive: true, force: true })
  const environment = { ...process.env, QUARRY_HOME: home, QUARRY_BACKGROUND: '0', QUARRY_OFFLINE: '1' }

  const parse = await seconds(() => bareParse(small))
  const first = await seconds(() =>
    run(environment, ['search', 'where is the request parsed', '--repo', small]),
  )
  const oneShot = await medianOf(5, () =>
    run(environment, ['search', 'where is the request parsed', '--repo', small]),
  )
  await report('first answer', set!.hash, {
    parse,
    first,
    ratio: first / parse,
    oneShotMilliseconds: oneShot * 1000,
  })

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
  const listing = await medianOf(3, () => git(large))
  const again = await medianOf(3, () =>
    run(environment, ['index', '--fast', '--no-history', '--repo', large]),
  )
  await report('unchanged re-index', set!.hash, { listing, again, ratio: again / listing, peakMegabytes })

  await report('warm question, 1,000 files', set!.hash, await warm(small, environment, questions))
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

const git = async (root: string): Promise<void> => {
  spawnSync('git', ['-C', root, 'ls-files', '-z', '-co', '--exclude-standard'], { maxBuffer: 1 << 28 })
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

const medianOf = async (rounds: number, work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await seconds(work))
  return times.sort((a, b) => a - b)[rounds >> 1]!
}

const report = async (what: string, dataHash: string, metrics: Record<string, number>): Promise<void> => {
  console.log(what, JSON.stringify(metrics))
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    name: 'speed',
    command: commandLine(process.argv.slice(2)),
    dataHash,
    config: { what },
    metrics,
    n: 1,
  })
}
