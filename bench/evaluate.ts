/** `npm run bench -- evaluate`: asks every question of a set through the public API, as a user would, and scores the answers. */

import { join } from 'node:path'
import { openQuarry } from '#dist/index.js'
import { groupScores, meanScores, type ScoredQuery } from '#dist/measuring/metrics/groups.js'
import {
  scoreCodeSearch,
  scoreCodescout,
  scoreDocuments,
  scoreIssue,
} from '#dist/measuring/metrics/score-query.js'
import { recordResult } from './report/result-line.js'
import { loadSets } from './sets/load-sets.js'
import { findPlaces } from './sets/places.js'
import type { BenchSet } from './sets/shape.js'

export interface Variant {
  readonly name: string
  readonly stage: 'first' | 'full'
  /** Merged over the settings, by dotted key. */
  readonly overrides: Readonly<Record<string, unknown>>
}

export const VARIANTS: readonly Variant[] = [
  { name: 'best', stage: 'full', overrides: {} },
  { name: 'best, one model', stage: 'full', overrides: { 'embedding.furtherModelsBelow': 0 } },
  { name: 'best, both models', stage: 'full', overrides: { 'embedding.furtherModelsBelow': 1_000 } },
  { name: 'first second', stage: 'first', overrides: { 'embedding.models': [] } },
  { name: 'classic', stage: 'full', overrides: { profile: 'classic', 'rerank.enabled': false } },
  { name: 'best + hops', stage: 'full', overrides: { 'multiHop.enabled': true } },
  { name: 'best + late interaction', stage: 'full', overrides: { 'rerank.enabled': true } },
  { name: 'best, cap 1', stage: 'full', overrides: { 'diversity.maxPerFile': 1 } },
  { name: 'best, no cap', stage: 'full', overrides: { 'diversity.maxPerFile': 0 } },
]

const SCORES = { 'code-search': scoreCodeSearch, issues: scoreIssue, codescout: scoreCodescout } as const

export const evaluate = async (options: {
  readonly sets: readonly string[]
  readonly variants: readonly string[]
  readonly scratch: string
}): Promise<void> => {
  const { scratch } = options
  const variants = VARIANTS.filter(({ name }) => options.variants.includes(name))
  for (const set of await loadSets(options.sets, findPlaces(), scratch)) {
    for (const variant of variants) {
      const scored = await scoreSet(set, variant, scratch)
      const metrics = meanScores(scored)
      console.log(set.name, variant.name, JSON.stringify(metrics))
      for (const { group, n, means } of groupScores(scored, 'repository'))
        console.log('  ', group, n, JSON.stringify(means))
      await recordResult({
        name: 'evaluate',
        dataHash: set.hash,
        config: { set: set.name, variant: variant.name, ...(variant.overrides as Record<string, never>) },
        metrics,
        n: scored.length,
      })
    }
  }
}

const scoreSet = async (set: BenchSet, variant: Variant, scratch: string): Promise<ScoredQuery[]> => {
  const scored: ScoredQuery[] = []
  const score = SCORES[set.name as keyof typeof SCORES] ?? scoreDocuments
  for (const corpus of set.corpora) {
    const root = await corpus.prepare(scratch)
    const environment = { ...process.env, QUARRY_HOME: join(scratch, 'home') }
    const quarry = await openQuarry({ root, environment, overrides: variant.overrides })
    await quarry.index({ stage: variant.stage, history: false })
    for (const query of corpus.queries) {
      const { hits } = await quarry.search(query.text, {
        limit: set.name === 'code-search' ? 10 : 100,
        refresh: 'never',
      })
      const { id, category } = query
      scored.push({
        id,
        category,
        language: corpus.language,
        repository: corpus.repository,
        scores: score(corpus, query, hits),
      })
    }
    await quarry.close()
  }
  return scored
}
