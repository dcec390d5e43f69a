/**
 * `npm run bench -- train`: makes `src/ranking/weights.ts` from the labelled sets, for each stage and kind of question. Says
 * first what weights learned on one half by repository are worth on the other half, and the reverse; ships weights of all.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuestionKind } from '#dist/core/questions.js'
import { pairedBootstrap } from '#dist/measuring/metrics/bootstrap.js'
import { FEATURES, type FeatureName, featuresOf } from '#dist/ranking/features.js'
import type { WeightTable } from '#dist/ranking/weights.js'
import { appendResult, commandLine } from '../report/result-line.js'
import { halfOf } from '../sets/halves.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces, repositoryRoot } from '../sets/places.js'
import { type Judgement, judgeFusion, judgeLane, judgePriors, kindOf } from './judge.js'
import { type Pool, poolsOf, type Stage, sampleOf } from './pool.js'
import { type Example, train } from './train.js'

const KINDS: readonly QuestionKind[] = ['symbol', 'question', 'report', 'prose', 'snippet']
/** Of 0.0003 to 0.03 the best when whole repositories are held out; a collection with hundreds of questions needs less. */
const PENALTIES: Readonly<Record<QuestionKind, number>> = {
  symbol: 0.03,
  question: 0.015,
  report: 0.015,
  prose: 0.001,
  snippet: 0.001,
}
const EPOCHS = 300
/** Twenty words can be drawn from any repository, and only three names of it have been labelled by hand. */
const WEIGHT_OF_A_WORD = 0.1

/**
 * What the field has published as hand-set signals (penalties for tests, examples, compatibility code, older versions; a
 * definition first when a name is asked for). Twenty repositories do not show every kind of file, so a weight is only moved
 * from here as far as the examples demand.
 */
const PRIOR: Partial<Record<FeatureName, number>> = {
  test: -1.2,
  example: -1.2,
  compat: -1.2,
  documentation: -1.5,
  types: -0.4,
  platform: -1,
  olderVersion: -1.5,
}
const SYMBOL_PRIOR: typeof PRIOR = {
  ...PRIOR,
  definition: 2,
  definitionFile: 1.5,
  stemReverse: 1,
  nameReverse: 1,
  symbol: 1,
  coverAlone: 2,
}
/** A collection of prose or snippets has no tests and no examples to be wary of. */
const PROSE_PRIOR: typeof PRIOR = {}
const PRIORS: Readonly<Record<QuestionKind, typeof PRIOR>> = {
  symbol: SYMBOL_PRIOR,
  question: PRIOR,
  report: PRIOR,
  prose: PROSE_PRIOR,
  snippet: PROSE_PRIOR,
}

/** Of a sentence, the file that says most of it is often not the one that does it: it cost .0015 nDCG@10, held out. */
const OF_NAMES_ONLY: ReadonlySet<number> = new Set([FEATURES.indexOf('coverAlone')])

type Weights = Record<QuestionKind, Record<FeatureName, number>>

interface LabelledPool extends Pool {
  readonly set: string
  readonly dataHash: string
}

export const trainCommand = async (options: {
  readonly sets: readonly string[]
  readonly scratch: string
}): Promise<void> => {
  const table = {} as Record<Stage, Weights>
  for (const stage of ['first', 'full'] as const) {
    const pools = await collect(stage, options)
    // A collection of documents is one corpus and has no repositories: its questions are halved instead.
    const tables = new Map(
      (['tune', 'report'] as const).map(half => [
        half,
        asTable(
          learn(
            pools.filter(pool => sideOf(pool) !== half),
            table.first,
          ),
        ),
      ]),
    )
    const rows: Record<string, (pool: LabelledPool) => Judgement> = {
      'text lane': pool => judgeLane(pool, 'text'),
      'symbol lane': pool => judgeLane(pool, 'symbol'),
      'vector lane': pool => judgeLane(pool, 'vector'),
      RRF: judgeFusion,
      'learned, held out': pool => judgePriors(pool, tables.get(sideOf(pool))!),
    }
    for (const set of new Set(pools.map(pool => pool.set))) {
      for (const half of ['tune', 'report'] as const) {
        const chosen = pools.filter(pool => pool.set === set && sideOf(pool) === half)
        for (const [name, judge] of Object.entries(rows)) await record(stage, set, half, name, chosen, judge)
        if (chosen.length > 0)
          console.log(
            stage,
            set,
            half,
            'learned − RRF',
            compare(chosen, judgeFusion, rows['learned, held out']!),
          )
      }
    }
    table[stage] = learn(pools, table.first)
  }
  await writeFile(join(repositoryRoot, 'src/ranking/weights.ts'), render(table))
}

const sideOf = (pool: LabelledPool): 'tune' | 'report' =>
  halfOf(
    pool.corpus.repository === pool.corpus.name && pool.corpus.queries.length > 100
      ? pool.query.id
      : pool.corpus.repository,
  )

const record = async (
  stage: Stage,
  set: string,
  half: string,
  ranking: string,
  pools: readonly LabelledPool[],
  judge: (pool: LabelledPool) => Judgement,
): Promise<void> => {
  if (pools.length === 0) return
  const judged = pools.map(judge)
  const metrics = { 'nDCG@10': mean(judged, 'ndcg'), 'MRR@10': mean(judged, 'mrr') }
  console.log(stage, set, half, ranking, JSON.stringify(metrics))
  await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
    name: 'ranking',
    command: commandLine(process.argv.slice(2)),
    dataHash: pools[0]!.dataHash,
    config: { stage, set, half, ranking },
    metrics,
    n: pools.length,
  })
}

/** Whole repositories are drawn: questions about one repository resemble each other. */
const compare = (
  pools: readonly LabelledPool[],
  before: (pool: LabelledPool) => Judgement,
  after: (pool: LabelledPool) => Judgement,
): string => {
  const pairs = pools.map(pool => ({
    before: before(pool).ndcg,
    after: after(pool).ndcg,
    repository: pool.corpus.queries.length > 100 ? pool.query.id : pool.corpus.repository,
  }))
  const { mean: gain, low, high } = pairedBootstrap(pairs, { unit: 'repository' })
  return `${gain.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

const collect = async (
  stage: Stage,
  { sets, scratch }: { readonly sets: readonly string[]; readonly scratch: string },
): Promise<LabelledPool[]> => {
  const pools: LabelledPool[] = []
  // Vectors of every state of eleven repositories would take a day: reports are learned in the first stage, from a sample.
  const chosen = stage === 'full' ? sets.filter(name => name !== 'issues') : sets
  for (const set of await loadSets(chosen, findPlaces(), scratch)) {
    for await (const pool of poolsOf(sampleOf(set), { scratch, stage }))
      pools.push({ ...pool, set: set.name, dataHash: set.hash })
  }
  return pools
}

/** One row of weights for each kind of question. */
const learn = (pools: readonly LabelledPool[], fallback?: Weights): Weights =>
  Object.fromEntries(
    KINDS.map(wanted => {
      // A kind without examples is ranked as in the other stage, or like any question.
      const known = pools.some(pool => kindOf(pool) === wanted)
      if (!known && fallback) return [wanted, fallback[wanted]]
      const kind = known ? wanted : 'question'
      const chosen = pools.filter(pool => kindOf(pool) === kind && pool.targets.some(hits => hits.length > 0))
      const examples = chosen.map(
        (pool): Example => ({
          rows: featuresOf(pool.candidates, pool.plan),
          groups: pool.candidates.map(({ chunk }) => chunk.path),
          targets: pool.targets,
          weight: pool.set === 'words' ? WEIGHT_OF_A_WORD : 1,
        }),
      )
      const weights = train(examples, {
        features: FEATURES.length,
        penalty: PENALTIES[kind],
        prior: FEATURES.map(name => PRIORS[kind][name] ?? 0),
        epochs: EPOCHS,
        ...(kind !== 'symbol' && { frozen: OF_NAMES_ONLY }),
      })
      return [wanted, Object.fromEntries(FEATURES.map((name, feature) => [name, weights[feature]]))]
    }),
  ) as Weights

const asTable = (weights: Weights): WeightTable => ({ first: weights, full: weights })

const mean = <Row>(rows: readonly Row[], key: keyof Row): number =>
  Number((rows.reduce((sum, row) => sum + Number(row[key]), 0) / rows.length).toFixed(4))

const render = (table: Record<Stage, Weights>): string => {
  const row = (weights: Record<FeatureName, number>) =>
    FEATURES.map(name => `      ${name}: ${weights[name].toFixed(3)},`).join('\n')
  const stage = (name: Stage) =>
    KINDS.map(kind => `    ${kind}: {\n${row(table[name][kind])}\n    },`).join('\n')
  return `/** Weights of the learned ranker, by stage and kind of question. Made by \`npm run bench -- train\`; do not edit. */

import type { QuestionKind } from '../core/questions.js'
import type { FeatureName } from './features.js'

export type WeightTable = Readonly<Record<'first' | 'full', Readonly<Record<QuestionKind, Readonly<Record<FeatureName, number>>>>>>

export const WEIGHTS: WeightTable = {
  first: {
${stage('first')}
  },
  full: {
${stage('full')}
  },
}
`
}
