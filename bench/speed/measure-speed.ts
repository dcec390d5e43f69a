/**
 * `npm run bench -- speed`: how long people wait, as ratios to a yardstick in the same run: first answer against a bare parse
 * of the same files, an unchanged re-index against git's own listing, warm and one-shot questions, the memory it takes, and vectors
 * against a bare loop of the model. `--only small,vectors,large` takes some of its parts; `vectors` needs a model from hub or registry.
 */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { grammarParser } from '#dist/adapters/chunkers/tree-sitter/grammar.js'
import { LANGUAGES } from '#dist/adapters/chunkers/tree-sitter/languages/index.js'
import { languageOf } from '#dist/text/language.js'
import { appendResult, commandLine } from '../report/result-line.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces, repositoryRoot } from '../sets/places.js'
import { backgroundEmbedding } from './background-embedding.js'
import { copyTrees } from './copied-trees.js'
import { inTurn, seconds } from './in-turn.js'
import { addedByReranking, type Environment, type Questions, warmQuestions } from './warm-questions.js'

const MAIN = join(repositoryRoot, 'dist/cli/main.js')
const LARGE_FILES = 35_000

interface Scene {
  readonly dataHash: string
  readonly environment: Environment
  readonly home: string
  readonly questions: Questions
  tree(files: number): string
}

const PARTS = { small: measureSmall, vectors: measureVectors, large: measureLarge } as const

export const measureSpeed = async (scratch: string, only?: string): Promise<void> => {
  const parts = (only?.split(',') ?? Object.keys(PARTS)) as (keyof typeof PARTS)[]
  const [set] = await loadSets(['code-search'], findPlaces(), scratch)
  const trees = await Promise.all(set!.corpora.map(corpus => corpus.prepare(scratch)))
  const texts = set!.corpora.flatMap(corpus => corpus.queries.map(query => query.text))
  const home = join(scratch, 'speed-home')
  rmSync(home, { recursive: true, force: true })
  const scene: Scene = {
    dataHash: set!.hash,
    environment: { ...process.env, QUARRY_HOME: home, QUARRY_BACKGROUND: '0', QUARRY_OFFLINE: '1' },
    home,
    questions: { others: texts.slice(100, 200), asked: texts.slice(0, 100) },
    tree: files => copyTrees(trees, join(scratch, `speed-${files}`), files),
  }
  for (const part of parts) await PARTS[part](scene)
}

async function measureSmall({ dataHash, environment, questions, tree }: Scene): Promise<void> {
  const small = tree(1_000)
  const parse = await seconds(() => bareParse(small))
  const first = await seconds(() =>
    run(environment, ['search', 'where is the request parsed', '--repo', small]),
  )
  await report('first answer', dataHash, { parse, first, ratio: first / parse })

  // The stamps of what has just been copied count after two seconds; from then on a run finds nothing to do.
  await pause(3_000)
  await indexFast(environment, small)
  await report('one-shot search, 1,000 files', dataHash, await oneShot(environment, small))
  await report('warm question, 1,000 files', dataHash, await warmQuestions(small, environment, questions))
}

const FIRST_MODEL = 'all-MiniLM-L6-v2'

async function measureVectors({ dataHash, environment, home, questions, tree }: Scene): Promise<void> {
  const small = tree(1_000)
  const online = { ...environment, QUARRY_OFFLINE: '0' }
  await run(online, ['models', 'pull'])
  await indexFast(environment, small)
  await report(
    'late interaction, 1,000 files',
    dataHash,
    await addedByReranking(small, environment, questions),
  )
  await report(
    'background embedding',
    dataHash,
    await backgroundEmbedding(small, home, environment, FIRST_MODEL),
  )
  await run(environment, ['index', '--wait', '--no-history', '--repo', small])
  await report('one-shot search, 1,000 files, all vectors', dataHash, await oneShot(environment, small))
  await report(
    'warm question, 1,000 files, all vectors',
    dataHash,
    await warmQuestions(small, environment, questions),
  )
}

async function measureLarge({ dataHash, environment, questions, tree }: Scene): Promise<void> {
  const large = tree(LARGE_FILES)
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
  await indexFast(environment, large)
  const git = (...args: readonly string[]) => program('git', ['-C', large, ...args])
  const { node, index, listing, others, status } = await inTurn(7, {
    node: () => program(process.execPath, ['-e', '0']),
    index: () => indexFast(environment, large),
    // Reads git's own index and no file of the tree.
    listing: () => git('ls-files', '-z'),
    // These look at the tree as we do: at its directories, and at each file.
    others: () => git('ls-files', '-z', '-co', '--exclude-standard'),
    status: () => git('-c', 'core.untrackedCache=false', 'status', '--porcelain'),
  })
  await report('unchanged re-index, 35,000 files', dataHash, {
    ...{ node, index, listing, others, status },
    toNode: index / node,
    toListing: index / listing,
    toListingOfOthers: index / others,
    toStatus: index / status,
    peakMegabytes,
  })
  await report('warm question, 35,000 files', dataHash, await warmQuestions(large, environment, questions))
}

const oneShot = async (environment: Environment, root: string): Promise<Record<string, number>> => {
  const { node, search } = await inTurn(15, {
    node: () => program(process.execPath, ['-e', '0']),
    search: () => run(environment, ['search', 'where is the request parsed', '--repo', root]),
  })
  return { nodeMilliseconds: 1000 * node, searchMilliseconds: 1000 * search, ratio: search / node }
}

const indexFast = (environment: Environment, root: string): Promise<void> =>
  run(environment, ['index', '--fast', '--no-history', '--repo', root])

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

const run = async (environment: Environment, args: readonly string[]): Promise<void> => {
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: environment,
    encoding: 'utf8',
  })
  if (status !== 0 && status !== 1) throw new Error(stderr)
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
