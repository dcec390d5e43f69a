/**
 * `npm run bench -- history`: issue texts against all commits of eleven repositories, through the public API as a user would,
 * and the lanes alone beside it. The figure is the mean over repositories, since one of them has a third of the issues.
 */

import { type Pair, pairedBootstrap } from '#dist/measuring/metrics/bootstrap.js'
import { recordResult } from '../report/result-line.js'
import { findPlaces } from '../sets/places.js'
import { type CommitCorpus, type CommitQuestion, loadCommitSet } from './commits-set.js'
import { homeIn, openHistory } from './homes.js'
import { laneRankings } from './lane-rankings.js'

interface Found {
  readonly commit: string
  readonly path: string
}

interface Row {
  readonly variant: string
  readonly repository: string
  readonly question: CommitQuestion
  readonly found: readonly Found[]
}

export interface HistoryVariant {
  readonly name: string
  /** Merged over the settings, by dotted key. */
  readonly overrides: Readonly<Record<string, unknown>>
  /** The first line of the issue alone: a question as people type it. */
  readonly titleOnly?: boolean
  /** From an index of its own, in which no commit has its tests. */
  readonly withoutTests?: boolean
}

const PLAIN = { 'history.recencyWeight': 0, 'history.maxPerFile': 0 }

export const HISTORY_VARIANTS: readonly HistoryVariant[] = [
  { name: 'best', overrides: {} },
  { name: 'best, title only', overrides: {}, titleOnly: true },
  { name: 'first second', overrides: { 'embedding.models': [] } },
  { name: 'fused by rank', overrides: { ...PLAIN, 'priors.enabled': false } },
  { name: 'fused by score', overrides: PLAIN },
  { name: 'by score + recency', overrides: { ...PLAIN, 'history.recencyWeight': 0.05 } },
  { name: 'by score + cap 3', overrides: { ...PLAIN, 'history.maxPerFile': 3 } },
  { name: 'by score + late interaction', overrides: { ...PLAIN, 'rerank.enabled': true } },
  { name: 'classic', overrides: { profile: 'classic', 'rerank.enabled': false } },
  { name: 'best, tests left out', overrides: {}, withoutTests: true },
]

const DEEP = 50

export const evaluateHistory = async (options: {
  readonly variants: readonly string[] | null
  readonly repositories: readonly string[] | null
  readonly scratch: string
}): Promise<void> => {
  const { scratch } = options
  const { hash, corpora } = await loadCommitSet(findPlaces(), scratch)
  const chosen = corpora.filter(({ repository }) => options.repositories?.includes(repository) ?? true)
  const variants = HISTORY_VARIANTS.filter(({ name }) => options.variants?.includes(name) ?? true)
  const rows: Row[] = []
  for (const corpus of chosen) {
    for (const variant of variants) rows.push(...(await ask(corpus, variant, scratch)))
    if (options.variants === null || options.variants.includes('lanes')) {
      const lanes = await laneRankings(corpus, homeIn(scratch), DEEP)
      rows.push(...lanes.map(row => ({ ...row, repository: corpus.repository })))
    }
  }
  for (const variant of new Set(rows.map(row => row.variant))) {
    const own = rows.filter(row => row.variant === variant)
    const summary = summarise(own)
    console.log(variant, JSON.stringify(summary.metrics))
    console.log('   ', summary.byRepository.map(({ name, mrr }) => `${name} ${mrr.toFixed(3)}`).join(' · '))
    await recordResult({
      ...{ name: 'history', dataHash: hash },
      ...{ config: { variant, repositories: chosen.length }, n: own.length },
      metrics: {
        ...summary.metrics,
        ...Object.fromEntries(summary.byRepository.map(({ name, mrr }) => [`MRR of ${name}`, mrr])),
      },
    })
  }
}

const ask = async (corpus: CommitCorpus, variant: HistoryVariant, scratch: string): Promise<Row[]> => {
  const quarry = await openHistory(corpus, scratch, variant)
  const rows: Row[] = []
  for (const question of corpus.questions) {
    const text = variant.titleOnly ? question.text.split('\n', 1)[0]! : question.text
    const { hits } = await quarry.find(text, { limit: DEEP, refresh: 'never' })
    const found = hits.map(({ commit, path }) => ({ commit: commit!, path }))
    rows.push({ variant: variant.name, repository: corpus.repository, question, found })
  }
  await quarry.close()
  return rows
}

const summarise = (rows: readonly Row[]) => {
  const repositories = [...new Set(rows.map(row => row.repository))]
  const scored = rows.map(row => ({ ...row, rank: rankOf(row) }))
  const mean = (measure: (row: (typeof scored)[number]) => number, own = scored) =>
    own.reduce((sum, row) => sum + measure(row), 0) / Math.max(1, own.length)
  const overRepositories = (measure: (row: (typeof scored)[number]) => number, own = scored) => {
    const means = repositories
      .map(name => own.filter(row => row.repository === name))
      .filter(group => group.length > 0)
      .map(group => mean(measure, group))
    return means.reduce((sum, value) => sum + value, 0) / Math.max(1, means.length)
  }
  const reciprocal = ({ rank }: { rank: number | null }) => (rank === null ? 0 : 1 / rank)
  const hit =
    (most: number) =>
    ({ rank }: { rank: number | null }) =>
      rank !== null && rank <= most ? 1 : 0
  const right = scored.filter(({ rank }) => rank !== null && rank <= 10)
  const pairs: Pair[] = scored.map(row => ({ before: 0, after: reciprocal(row), repository: row.repository }))
  const { low, high } = pairedBootstrap(pairs, { unit: 'query' })
  const round = (value: number) => Math.round(value * 10_000) / 10_000
  const metrics = {
    MRR: overRepositories(reciprocal),
    'Hit@1': overRepositories(hit(1)),
    'Hit@10': overRepositories(hit(10)),
    'Hit@50': overRepositories(hit(50)),
    'MRR over issues': mean(reciprocal),
    'MRR low': low,
    'MRR high': high,
    'MRR, path not named': overRepositories(
      reciprocal,
      scored.filter(({ question }) => !question.namesPath),
    ),
    'MRR, path named': overRepositories(
      reciprocal,
      scored.filter(({ question }) => question.namesPath),
    ),
    'hunk in a gold file': mean(
      ({ rank, found, question }) => (question.files.has(found[rank! - 1]!.path) ? 1 : 0),
      right,
    ),
  }
  return {
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, round(value)])),
    byRepository: repositories.map(name => ({
      name,
      mrr: mean(
        reciprocal,
        scored.filter(row => row.repository === name),
      ),
    })),
  }
}

/** Of the first right commit, from 1. */
const rankOf = ({ found, question }: Row): number | null => {
  const position = found.findIndex(({ commit }) => question.commits.has(commit))
  return position < 0 ? null : position + 1
}
