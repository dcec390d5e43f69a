/**
 * `npm run bench -- history --leave-one-out`: are the weights of history fitted to the repositories they are measured on? Many
 * settings around ours are tried; the one that is best on ten repositories is scored on the eleventh. The pools are the product's
 * own: its lanes, with other weights of the fields in the text lane, its fusion into a pool, and what it says of each commit.
 */

import { join } from 'node:path'
import { sqliteStore } from '#dist/adapters/stores/sqlite/index.js'
import { indexDirectory, quarryDirectories } from '#dist/config/directories.js'
import { profiles } from '#dist/config/profiles.js'
import type { TextScoring } from '#dist/core/ports.js'
import type { ChunkId, StoredChunk } from '#dist/core/types.js'
import { openEmbedders } from '#dist/engine/embedders.js'
import { openModels } from '#dist/engine/models.js'
import { worthOfHistory } from '#dist/engine/worth-models.js'
import {
  type CommitSignals,
  type CommitWeights,
  commitSignals,
  WEIGHTS,
} from '#dist/ranking/weigh-commits.js'
import { gather } from '#dist/retrieval/gather.js'
import { runLanes } from '#dist/retrieval/run-lanes.js'
import { SCORING } from '#dist/retrieval/scoring.js'
import { understand } from '#dist/retrieval/understand.js'
import { appendResult, commandLine } from '../report/result-line.js'
import { findPlaces, repositoryRoot } from '../sets/places.js'
import { type CommitCorpus, loadCommitSet } from './commits-set.js'
import { homeIn, openHistory } from './homes.js'

/** Ours is the first. */
const SCORINGS = 16
const FACTORS = [0.5, 0.71, 1, 1.41, 2]

/** A commit of a pool: whether it is a right one, and what is said of it. */
interface Pooled {
  readonly isRight: boolean
  readonly signals: CommitSignals
}

/** For each scoring, the pool of each question. */
type Pools = readonly (readonly (readonly Pooled[])[])[]

interface Score {
  readonly mrr: number
  readonly hit: number
}

export const leaveOneOut = async (options: {
  readonly repositories: readonly string[] | null
  readonly scratch: string
}): Promise<void> => {
  const { hash, corpora } = await loadCommitSet(findPlaces(), options.scratch)
  const chosen = corpora.filter(({ repository }) => options.repositories?.includes(repository) ?? true)
  for (const withoutTests of [false, true]) {
    const tables: Score[][] = []
    for (const corpus of chosen) {
      await (await openHistory(corpus, options.scratch, { withoutTests })).close()
      tables.push(scoreAll(await poolsOf(corpus, homeIn(options.scratch, withoutTests))))
      console.log(corpus.repository, show(tables.at(-1)![OURS]!))
    }
    const bests = chosen.map((_, left) => bestOf(tables, left))
    const heldOut = bests.map((best, left) => tables[left]![best]!)
    const means = tables[0]!.map((_, setting) => mean(tables.map(table => table[setting]!)).mrr)
    const sorted = [...means].sort((a, b) => a - b)
    const ours = mean(tables.map(table => table[OURS]!))
    const metrics = {
      'MRR held out': mean(heldOut).mrr,
      'Hit@10 held out': mean(heldOut).hit,
      'MRR ours': ours.mrr,
      'Hit@10 ours': ours.hit,
      'MRR best of all': sorted.at(-1)!,
      'MRR median': sorted[sorted.length >> 1]!,
      'MRR worst': sorted[0]!,
      settings: means.length,
    }
    console.log(withoutTests ? 'without tests' : 'all files', JSON.stringify(metrics))
    await appendResult(repositoryRoot, join(repositoryRoot, 'bench/results'), {
      ...{ name: 'history-held-out', command: commandLine(process.argv.slice(2)), dataHash: hash },
      config: {
        ...{ files: withoutTests ? 'tests left out' : 'all', repositories: chosen.length },
        chosen: [...new Set(bests)].map(settingAt),
      },
      n: chosen.reduce((sum, { questions }) => sum + questions.length, 0),
      metrics,
    })
  }
}

/** The same sequence each time. */
const randomFrom = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const scorings = (): TextScoring[] => {
  const ours = SCORING.hunk.text
  const random = randomFrom(11)
  const vary = (value: number): number => value * FACTORS[Math.floor(random() * FACTORS.length)]!
  const others = Array.from({ length: SCORINGS - 1 }, () => ({
    ...ours,
    k1: vary(ours.k1),
    weights: Object.fromEntries(Object.entries(ours.weights).map(([field, weight]) => [field, vary(weight)])),
  }))
  return [ours, ...others]
}

const WEIGHT_SETTINGS: readonly CommitWeights[] = [0.5, 1, 1.5].flatMap(vector =>
  [0, 1, 2].flatMap(fix =>
    [0, 1, 2].flatMap(reference =>
      [0, 1, 2].map(
        title =>
          ({
            ...WEIGHTS,
            vector: WEIGHTS.vector * vector,
            fix: WEIGHTS.fix * fix,
            reference: WEIGHTS.reference * reference,
            title: WEIGHTS.title * title,
          }) as CommitWeights,
      ),
    ),
  ),
)
/** Our scoring with our weights. */
const OURS = WEIGHT_SETTINGS.findIndex(weights =>
  Object.entries(WEIGHTS).every(([name, value]) => weights[name as keyof CommitWeights] === value),
)

/** A setting as people read it. */
const settingAt = (setting: number) => {
  const { k1, weights } = scorings()[Math.floor(setting / WEIGHT_SETTINGS.length)]!
  return {
    k1,
    fields: weights as Record<string, number>,
    priors: WEIGHT_SETTINGS[setting % WEIGHT_SETTINGS.length]!,
  }
}

const poolsOf = async ({ directory, questions }: CommitCorpus, home: string): Promise<Pools> => {
  const directories = quarryDirectories({ QUARRY_HOME: home })
  const place = join(indexDirectory(directories.data, directory), 'history')
  const reader = await sqliteStore({ directory: place, root: directory }).openReader()
  const embedders = openEmbedders(profiles.best, openModels(profiles.best, directories.cache).store)
  const { embedders: usable } = await embedders.forQuestions(reader, worthOfHistory)
  const all = scorings()
  const pools: (readonly Pooled[])[][] = all.map(() => [])
  for (const { text, commits } of questions) {
    // Most commits are in the pools of most scorings.
    const known = new Map<ChunkId, StoredChunk>()
    const index = {
      ...reader,
      chunks: async (ids: readonly ChunkId[]) => {
        for (const chunk of await reader.chunks(ids.filter(id => !known.has(id)))) known.set(chunk.id, chunk)
        return ids.flatMap(id => known.get(id) ?? [])
      },
    }
    const said = new Map<ChunkId, CommitSignals>()
    const options = { source: 'hunk', settings: profiles.best, filter: {}, limit: 50, now: 0 } as const
    const plan = await understand(text, index, options)
    const results = await runLanes([plan.asked], plan, index, usable)
    for (const [at, scoring] of all.entries()) {
      const ranked =
        at === 0 ? null : await reader.matchTerms(plan.asked.terms, scoring, {}, plan.asked.depth)
      const lists = results.lists.map(list => (ranked && list.lane === 'text' ? { ...list, ranked } : list))
      const pool = await gather({ ...results, lists }, plan, index)
      pools[at]!.push(
        pool.map(candidate => {
          const { id, document } = candidate.chunk
          const before = said.get(id) ?? commitSignals(candidate, plan)
          said.set(id, before)
          const signals = { ...before, text: candidate.signals.strengths.text ?? 0 }
          return { isRight: commits.has(document), signals }
        }),
      )
    }
  }
  await reader.close()
  await embedders.close()
  return pools
}

/** Of one repository: every scoring with every weights, in one order for all repositories. */
const scoreAll = (pools: Pools): Score[] =>
  pools.flatMap(questions =>
    WEIGHT_SETTINGS.map(weights => {
      const ranks = questions.map(pool => rankOf(pool, weights))
      return {
        mrr: average(ranks.map(rank => (rank === null ? 0 : 1 / rank))),
        hit: average(ranks.map(rank => (rank !== null && rank <= 10 ? 1 : 0))),
      }
    }),
  )

const rankOf = (pool: readonly Pooled[], weights: CommitWeights): number | null => {
  const scores = pool.map(({ signals }) =>
    Object.entries(weights).reduce(
      (sum, [name, weight]) => sum + weight * signals[name as keyof CommitWeights],
      signals.text,
    ),
  )
  let best = -1
  pool.forEach(({ isRight }, at) => {
    if (isRight && (best < 0 || scores[at]! > scores[best]!)) best = at
  })
  if (best < 0) return null
  // As a stable sort would have it.
  return (
    1 + scores.filter((score, at) => score > scores[best]! || (score === scores[best] && at < best)).length
  )
}

const bestOf = (tables: readonly (readonly Score[])[], left: number): number => {
  const others = tables.filter((_, at) => at !== left)
  const scored = tables[0]!.map((_, setting) => mean(others.map(table => table[setting]!)).mrr)
  return scored.indexOf(Math.max(...scored))
}

const mean = (scores: readonly Score[]): Score => ({
  mrr: average(scores.map(({ mrr }) => mrr)),
  hit: average(scores.map(({ hit }) => hit)),
})

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const show = ({ mrr, hit }: Score): string => `MRR ${mrr.toFixed(3)} Hit@10 ${hit.toFixed(3)}`
