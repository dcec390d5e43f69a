/** `npm run bench -- multi-query`: the same questions with and without rewrites, by strategy, through the public API. */

import { join } from 'node:path'
import { openQuarry } from '#dist/index.js'
import { pairedBootstrap } from '#dist/measuring/metrics/bootstrap.js'
import { meanScores, type ScoredQuery } from '#dist/measuring/metrics/groups.js'
import { scoreCodeSearch, scoreDocuments } from '#dist/measuring/metrics/score-query.js'
import { type Recorded, readRecorded } from '#dist/measuring/replay/recorded.js'
import { startReplayServer } from '#dist/measuring/replay/replay-server.js'
import { recordResult } from '../report/result-line.js'
import { loadSets } from '../sets/load-sets.js'
import { findPlaces } from '../sets/places.js'
import type { BenchSet } from '../sets/shape.js'

interface Variant {
  readonly name: string
  readonly overrides: Readonly<Record<string, unknown>>
  /** Hand the rewrites over as a caller does, in place of a service. */
  readonly isCaller?: boolean
}

const rewritten = (...strategies: string[]): Variant => ({
  name: strategies.join(' + '),
  overrides: { 'multiQuery.enabled': true, 'expander.kind': 'openai', 'multiQuery.strategies': strategies },
})
const classic = { profile: 'classic', 'rerank.enabled': false } as const

/** The first is what the others are compared with; `classic` ones are compared with `classic, single`. */
const VARIANTS: readonly Variant[] = [
  { name: 'single', overrides: {} },
  { name: 'default', overrides: { 'multiQuery.enabled': true, 'expander.kind': 'openai' } },
  rewritten('paraphrase'),
  rewritten('entity'),
  rewritten('step-back'),
  rewritten('decompose'),
  rewritten('paraphrase', 'entity', 'step-back'),
  rewritten('paraphrase', 'entity', 'decompose'),
  { name: 'local', overrides: { 'multiQuery.enabled': true, 'expander.kind': 'local' } },
  { name: 'caller', overrides: {}, isCaller: true },
  { name: 'classic, single', overrides: classic },
  {
    name: 'classic, multi',
    overrides: { ...classic, 'multiQuery.enabled': true, 'expander.kind': 'openai' },
  },
]

/** Which recorded set holds rewrites of which loaded set; one without any is measured with the local expander alone. */
const RECORDED_NAMES: Readonly<Record<string, string>> = {
  'cosqa-dev': 'cosqa',
  'code-search': 'code-search',
}
const LIMIT = 10

export const evaluateMultiQuery = async (options: {
  readonly sets: readonly string[]
  readonly variants: readonly string[] | null
  readonly scratch: string
}): Promise<void> => {
  const places = findPlaces()
  const { rows, hash } = await readRecorded(join(places.data, 'expansions.jsonl'))
  const server = await startReplayServer(rows)
  try {
    for (const set of await loadSets(options.sets, places, options.scratch)) {
      const recorded = rows.filter(row => row.set === RECORDED_NAMES[set.name])
      const variants = VARIANTS.filter(({ name }) => options.variants?.includes(name) ?? true).filter(
        ({ name }) => recorded.length > 0 || name === 'single' || name === 'local',
      )
      const scored = new Map<string, readonly ScoredQuery[]>()
      for (const variant of variants) {
        const { queries, milliseconds } = await scoreSet(
          set,
          variant,
          recorded,
          server.baseUrl,
          options.scratch,
        )
        scored.set(variant.name, queries)
        const base = scored.get(variant.name.startsWith('classic') ? 'classic, single' : 'single') ?? queries
        const metrics = { ...meanScores(queries), ...differences(base, queries), 'p50 ms': milliseconds }
        console.log(set.name, variant.name, queries.length, JSON.stringify(metrics, rounded))
        await recordResult({
          name: 'multi-query',
          dataHash: `${set.hash.slice(0, 16)} ${hash.slice(0, 16)}`,
          config: { set: set.name, variant: variant.name, ...(variant.overrides as Record<string, never>) },
          metrics,
          n: queries.length,
        })
      }
    }
  } finally {
    await server.close()
  }
}

const scoreSet = async (
  set: BenchSet,
  variant: Variant,
  recorded: readonly Recorded[],
  baseUrl: string,
  scratch: string,
): Promise<{ readonly queries: readonly ScoredQuery[]; readonly milliseconds: number }> => {
  const rewrites = new Map(recorded.map(row => [row.question, row.rewrites]))
  const queries: ScoredQuery[] = []
  const times: number[] = []
  for (const corpus of set.corpora) {
    const asked = corpus.queries.filter(({ text }) => recorded.length === 0 || rewrites.has(text))
    if (asked.length === 0) continue
    const root = await corpus.prepare(scratch)
    const quarry = await openQuarry({
      root,
      environment: { ...process.env, QUARRY_HOME: join(scratch, 'home'), QUARRY_EXPANDER_KEY: '' },
      overrides: {
        ...{ 'expander.baseUrl': baseUrl, 'expander.model': 'recorded', 'expander.cache': false },
        'multiQuery.variations': 4,
        ...variant.overrides,
      },
    })
    await quarry.index({ stage: 'full', history: false })
    for (const [position, query] of [asked[0]!, ...asked].entries()) {
      const start = performance.now()
      const { hits, expansion, warnings } = await quarry.search(query.text, {
        limit: LIMIT,
        refresh: 'never',
        ...(variant.isCaller && { queries: Object.values(rewrites.get(query.text) ?? {}).flat() }),
      })
      // The first is asked twice: the models have to be loaded.
      if (position === 0) continue
      times.push(performance.now() - start - (expansion?.milliseconds ?? 0))
      const failure = warnings.find(({ code }) => code === 'EXPANSION_FAILED')
      // A question may have no rewrite of a strategy; anything else would measure nothing.
      if (failure && !/HTTP 404|usable/.test(failure.message)) throw new Error(failure.message)
      const score = set.name === 'code-search' ? scoreCodeSearch : scoreDocuments
      const { 'R@100': _, ...scores } = score(corpus, query, hits)
      const { id, category } = query
      queries.push({ id, category, language: corpus.language, repository: corpus.repository, scores })
    }
    await quarry.close()
  }
  times.sort((a, b) => a - b)
  return { queries, milliseconds: times[Math.floor(times.length / 2)] ?? 0 }
}

/** Mean difference of the paired scores with its interval of 95 %. */
const differences = (
  before: readonly ScoredQuery[],
  after: readonly ScoredQuery[],
): Record<string, number> => {
  const found: Record<string, number> = {}
  for (const metric of ['nDCG@10', 'R@10', 'MRR@10']) {
    const pairs = before.map((query, position) => ({
      before: query.scores[metric]!,
      after: after[position]!.scores[metric]!,
      repository: query.repository,
    }))
    const { mean, low, high } = pairedBootstrap(pairs, { unit: 'query' })
    Object.assign(found, { [`Δ ${metric}`]: mean, [`Δ ${metric} low`]: low, [`Δ ${metric} high`]: high })
  }
  return found
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toFixed(4)) : value
