/**
 * `npm run bench -- train`: makes `src/ranking/weights.ts` from the labelled sets, for each stage and kind of question. Says
 * first what weights learned on one half by repository are worth on the other half, and the reverse; ships weights of all.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuestionKind } from '#dist/core/types.js'
import { FEATURES, type FeatureName, featuresOf } from '#dist/ranking/features.js'
import type { WeightTable } from '#dist/ranking/weights.js'
import { ndcg, reciprocalRank } from '../metrics/rank-metrics.js'
import { halfOf } from '../sets/halves.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces, repositoryRoot } from '../sets/places.js'
import { kindOf, ranksWith } from './judge.js'
import { type Pool, poolsOf, type Stage } from './pool.js'
import { type Example, train } from './train.js'

const KINDS: readonly QuestionKind[] = ['symbol', 'question', 'report', 'prose']
/** Of 0.0003 to 0.01 the best when whole repositories are held out. */
const PENALTY = 0.01
const EPOCHS = 300

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
const SYMBOL_PRIOR: typeof PRIOR = { ...PRIOR, definition: 2, definitionFile: 1.5, stemReverse: 1, nameReverse: 1, symbol: 1 }
/** A collection of prose has no tests and no examples to be wary of. */
const PROSE_PRIOR: typeof PRIOR = {}
const PRIORS: Readonly<Record<QuestionKind, typeof PRIOR>> = {
  symbol: SYMBOL_PRIOR,
  question: PRIOR,
  report: PRIOR,
  prose: PROSE_PRIOR,
}


type Weights = Record<QuestionKind, Record<FeatureName, number>>

interface LabelledPool extends Pool {
  readonly set: string
}

export const trainCommand = async (options: {
  readonly sets: readonly string[]
  readonly scratch: string
}): Promise<void> => {
  const table = {} as Record<Stage, Weights>
  for (const stage of ['first', 'full'] as const) {
    const pools = await collect(stage, options)
    const halves = (['tune', 'report'] as const).map(half => {
      const other = pools.filter(pool => halfOf(pool.corpus.repository) !== half)
      return { half, table: asTable(stage, learn(other)) }
    })
    const judged = pools.map(pool => {
      const { table } = halves.find(({ half }) => half === halfOf(pool.corpus.repository))!
      const ranks = ranksWith(pool, table)
      return {
        set: pool.set,
        half: halfOf(pool.corpus.repository),
        ndcg: ndcg(ranks, 10),
        mrr: reciprocalRank(ranks, 10),
      }
    })
    for (const set of options.sets) {
      for (const half of ['tune', 'report']) {
        const rows = judged.filter(row => row.set === set && row.half === half)
        if (rows.length > 0)
          console.log(
            JSON.stringify({
              stage,
              set,
              half,
              n: rows.length,
              ndcg: mean(rows, 'ndcg'),
              mrr: mean(rows, 'mrr'),
            }),
          )
      }
    }
    table[stage] = learn(pools)
  }
  await writeFile(join(repositoryRoot, 'src/ranking/weights.ts'), render(table))
}

const collect = async (
  stage: Stage,
  { sets, scratch }: { readonly sets: readonly string[]; readonly scratch: string },
): Promise<LabelledPool[]> => {
  const pools: LabelledPool[] = []
  for (const set of await loadSets(sets, findPlaces(), scratch)) {
    for await (const pool of poolsOf(set.corpora, { scratch, stage })) pools.push({ ...pool, set: set.name })
  }
  return pools
}

/** One row of weights for each kind of question; each set counts the same within a kind, whatever its size. */
const learn = (pools: readonly LabelledPool[]): Weights =>
  Object.fromEntries(
    KINDS.map(wanted => {
      // A kind without examples is ranked like any question.
      const kind = pools.some(pool => kindOf(pool) === wanted) ? wanted : 'question'
      const chosen = pools.filter(pool => kindOf(pool) === kind && pool.targets.some(hits => hits.length > 0))
      const sizes = new Map<string, number>()
      for (const { set } of chosen) sizes.set(set, (sizes.get(set) ?? 0) + 1)
      const examples = chosen.map(
        (pool): Example => ({
          id: pool.query.id,
          repository: pool.corpus.repository,
          rows: featuresOf(pool.candidates, pool.plan),
          targets: pool.targets,
          weight: 1 / sizes.get(pool.set)!,
        }),
      )
      const weights = train(examples, {
        features: FEATURES.length,
        penalty: PENALTY,
        prior: FEATURES.map(name => PRIORS[kind][name] ?? 0),
        epochs: EPOCHS,
      })
      return [wanted, Object.fromEntries(FEATURES.map((name, feature) => [name, weights[feature]]))]
    }),
  ) as Weights

const asTable = (stage: Stage, weights: Weights): WeightTable => ({
  first: weights,
  full: weights,
  [stage]: weights,
})

const mean = <Row>(rows: readonly Row[], key: keyof Row): number =>
  Number((rows.reduce((sum, row) => sum + Number(row[key]), 0) / rows.length).toFixed(4))

const render = (table: Record<Stage, Weights>): string => {
  const row = (weights: Record<FeatureName, number>) =>
    FEATURES.map(name => `      ${name}: ${weights[name].toFixed(3)},`).join('\n')
  const stage = (name: Stage) =>
    KINDS.map(kind => `    ${kind}: {\n${row(table[name][kind])}\n    },`).join('\n')
  return `/** Weights of the learned ranker, by stage and kind of question. Made by \`npm run bench -- train\`; do not edit. */

import type { QuestionKind } from '../core/types.js'
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
