/**
 * `npm run bench -- notes`: question → turn on the memory set, for each lane, their fusion, the learned priors with one
 * conversation held out at a time, and the reranker on top. `--train` writes the weights of all conversations as well.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelStore } from '#dist/adapters/models/store.js'
import { lateInteraction } from '#dist/adapters/rerankers/late-interaction.js'
import { quarryDirectories } from '#dist/config/directories.js'
import type { Reranker } from '#dist/core/ports.js'
import type { Candidate, LaneName } from '#dist/core/questions.js'
import { ndcg, recall } from '#dist/measuring/metrics/rank-metrics.js'
import { TURN_FEATURES, type TurnFeature, turnFeatures } from '#dist/ranking/turn-features.js'
import type { TurnWeights } from '#dist/ranking/turn-weights.js'
import { weighTurns } from '#dist/ranking/weigh-turns.js'
import { rerank } from '#dist/retrieval/rerank.js'
import { type Example, train } from '../learning/train.js'
import { recordResult } from '../report/result-line.js'
import { repositoryRoot } from '../sets/places.js'
import { loadMemory } from './memory-set.js'
import { memoryEnvironment, type Stage, type TurnPool, turnPools } from './turn-pools.js'

const EPOCHS = 200
/** Of 0.0003 to 0.03, on features of equal spread, the best with one conversation held out: .860 to .863 R@10. */
const PENALTY = 0.03
const RERANK_WEIGHTS = [0.2, 0.3, 0.4]

export const evaluateNotes = async (options: {
  readonly scratch: string
  readonly isTraining: boolean
  readonly reranks: boolean
}): Promise<void> => {
  const { scratch, isTraining, reranks } = options
  const { conversations, hash } = await loadMemory()
  const learned = {} as Record<Stage, TurnWeights>
  for (const stage of ['first', 'full'] as const) {
    const pools: TurnPool[] = []
    for await (const pool of turnPools(conversations, scratch, stage)) pools.push(pool)
    const held = new Map(
      conversations.map(({ name }) => [
        name,
        learn(pools.filter(({ conversation }) => conversation !== name)),
      ]),
    )
    const orders: Record<string, (pool: TurnPool) => Promise<readonly string[]>> = {
      'text lane': async pool => byLane(pool, 'text'),
      'vector lane': async pool => byLane(pool, 'vector'),
      fusion: async ({ ids }) => ids,
      'priors, held out': async pool => order(pool, weighed(pool, held.get(pool.conversation)!)),
    }
    if (stage === 'full' && reranks) {
      const reranker = await openReranker(scratch)
      for (const weight of RERANK_WEIGHTS)
        orders[`priors + rerank ${weight}, held out`] = async pool =>
          order(pool, await reranked(pool, weighed(pool, held.get(pool.conversation)!), reranker, weight))
    }
    for (const [ranking, orderOf] of Object.entries(orders)) {
      const metrics = await score(pools, orderOf)
      console.log(stage, ranking, JSON.stringify(metrics))
      await recordResult({
        ...{ name: 'notes', dataHash: hash },
        ...{ config: { stage, ranking }, metrics, n: pools.length },
      })
    }
    learned[stage] = learn(pools)
  }
  if (isTraining) await writeFile(join(repositoryRoot, 'src/ranking/turn-weights.ts'), render(learned))
}

const weighed = ({ candidates, plan }: TurnPool, weights: TurnWeights): readonly Candidate[] =>
  weighTurns(candidates, plan, weights)

const order = ({ candidates, ids }: TurnPool, ranked: readonly Candidate[]): readonly string[] => {
  const names = new Map(candidates.map(({ chunk }, position) => [chunk.id, ids[position]!]))
  return ranked.map(({ chunk }) => names.get(chunk.id)!)
}

const byLane = ({ candidates, ids }: TurnPool, lane: LaneName): readonly string[] =>
  candidates
    .map(({ signals }, position) => ({
      id: ids[position]!,
      rank: signals.ranks[lane] ?? Number.MAX_SAFE_INTEGER,
    }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ id }) => id)

const reranked = async (
  { plan }: TurnPool,
  candidates: readonly Candidate[],
  reranker: Reranker,
  weight: number,
): Promise<readonly Candidate[]> => {
  const settings = { ...plan.settings, rerank: { ...plan.settings.rerank, enabled: true, weight } }
  return (await rerank(candidates, reranker, { ...plan, settings })).candidates
}

const openReranker = async (scratch: string): Promise<Reranker> => {
  const { cache } = quarryDirectories(memoryEnvironment(scratch))
  const files = await modelStore({ directory: join(cache, 'models'), offline: false }).pull(
    'all-MiniLM-L6-v2',
  )
  const opened = lateInteraction(files)
  // The same pairs come again with every weight.
  const known = new Map<string, number>()
  return {
    ...opened,
    async score(question, texts, signal) {
      const fresh = texts.filter(text => !known.has(`${question}\0${text}`))
      const scores = await opened.score(question, fresh, signal)
      for (const [position, text] of fresh.entries()) known.set(`${question}\0${text}`, scores[position]!)
      return texts.map(text => known.get(`${question}\0${text}`)!)
    },
  }
}

const learn = (pools: readonly TurnPool[]): TurnWeights => {
  const examples = pools
    .map(
      ({ question, candidates, plan, ids }): Example => ({
        rows: turnFeatures(candidates, plan),
        groups: ids,
        targets: question.turns.map(turn => ids.flatMap((id, position) => (id === turn ? [position] : []))),
        weight: 1,
      }),
    )
    .filter(({ targets }) => targets.some(hits => hits.length > 0))
  // The penalty must weigh all features alike, whatever they are counted in.
  const spreads = TURN_FEATURES.map((_, feature) =>
    spreadOf(examples.flatMap(({ rows }) => rows.map(row => row[feature]!))),
  )
  const scaled = examples.map(example => ({
    ...example,
    rows: example.rows.map(row => Float64Array.from(row, (value, feature) => value / spreads[feature]!)),
  }))
  const weights = train(scaled, {
    ...{ features: TURN_FEATURES.length, penalty: PENALTY, epochs: EPOCHS },
    prior: TURN_FEATURES.map(() => 0),
  })
  return Object.fromEntries(
    TURN_FEATURES.map((name, feature) => [name, weights[feature]! / spreads[feature]!]),
  )
}

const spreadOf = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
}

const score = async (
  pools: readonly TurnPool[],
  orderOf: (pool: TurnPool) => Promise<readonly string[]>,
): Promise<Record<string, number>> => {
  const rows: { readonly category: string; readonly recall: number; readonly ndcg: number }[] = []
  for (const pool of pools) {
    const ranked = await orderOf(pool)
    const ranks = pool.question.turns.map(turn => {
      const position = ranked.indexOf(turn)
      return position === -1 ? Number.POSITIVE_INFINITY : position + 1
    })
    rows.push({ category: pool.question.category, recall: recall(ranks, 10), ndcg: ndcg(ranks, 10) })
  }
  const mean = (chosen: typeof rows, key: 'recall' | 'ndcg') =>
    Number((chosen.reduce((sum, row) => sum + row[key], 0) / chosen.length).toFixed(4))
  return {
    'R@10': mean(rows, 'recall'),
    'nDCG@10': mean(rows, 'ndcg'),
    'R@10 without adversarial': mean(
      rows.filter(({ category }) => category !== 'adversarial'),
      'recall',
    ),
    ...Object.fromEntries(
      [...new Set(rows.map(({ category }) => category))].map(category => [
        `R@10 ${category}`,
        mean(
          rows.filter(row => row.category === category),
          'recall',
        ),
      ]),
    ),
  }
}

const render = (learned: Record<Stage, TurnWeights>): string => {
  const table = (weights: TurnWeights) =>
    TURN_FEATURES.map((name: TurnFeature) => `    ${name}: ${weights[name]!.toFixed(3)},`).join('\n')
  return `/** Weights of the ranker of notes, before and after a model has read them. Made by \`npm run bench -- notes --train\`; do not edit. */

import type { TurnFeature } from './turn-features.js'

export type TurnWeights = Readonly<Partial<Record<TurnFeature, number>>>

export const TURN_WEIGHTS: Readonly<Record<'first' | 'full', TurnWeights>> = {
  first: {
${table(learned.first)}
  },
  full: {
${table(learned.full)}
  },
}
`
}
