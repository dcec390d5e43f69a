/**
 * Multi-query: further wordings of the question go through the lanes beside it, each strategy on the route that was measured to
 * help. Opt-in; else the identity. Whatever goes wrong here, the question alone is still answered.
 */

import type { Expander, IndexReader } from '../core/ports.js'
import type {
  Expansion,
  LaneName,
  QuestionVariation,
  StoredChunk,
  VariationSource,
  Warning,
  WeighedTerm,
} from '../core/types.js'
import type { Plan, Variation } from './plan.js'
import type { LaneResults } from './run-lanes.js'
import { weighTerms } from './understand.js'

export interface ExpandedPlan {
  readonly variations: readonly Variation[]
  readonly expansion?: Expansion
  readonly warnings: readonly Warning[]
}

/** How a variation of a strategy takes part, the question counting `multiQuery.originalWeight`. */
interface Route {
  /** As lists of its own, by lane. */
  readonly lanes: Readonly<Record<LaneName, number>>
  /** Its words beside those of the question, in one further text and symbol list: what each word counts against one of the question. */
  readonly words: number
}

const alone = (weight: number): Route => ({
  lanes: { vector: weight, text: weight, symbol: weight },
  words: 0,
})
const NO_LANE = { vector: 0, text: 0, symbol: 0 } as const

/** Measured on the recorded rewrites of three sets: docs/multi-query.md has the table. */
const BEST_ROUTES: Readonly<Record<VariationSource, Route>> = {
  paraphrase: alone(0.5),
  entity: { lanes: NO_LANE, words: 1 },
  'step-back': alone(0.25),
  decompose: alone(0.25),
  feedback: { lanes: NO_LANE, words: 0.3 },
  caller: alone(1),
}

export const expand = async (
  plan: Plan,
  expander: Expander | null,
  firstResults: () => Promise<readonly StoredChunk[]>,
  index: IndexReader,
  signal?: AbortSignal,
): Promise<ExpandedPlan> => {
  if (expander === null) return { variations: [], warnings: [] }
  const { variations: count, strategies } = plan.settings.multiQuery
  const start = performance.now()
  try {
    const asked = { question: plan.question, count, strategies, firstResults }
    const { variations, cached, tokens } = await expander.expand(asked, signal)
    const milliseconds = Math.round(performance.now() - start)
    return {
      variations: await routed(variations, plan, index),
      expansion: { expander: expander.id, variations, cached, tokens, milliseconds },
      warnings: [],
    }
  } catch (error) {
    if (signal?.aborted) throw error
    const { message = String(error), hint = 'quarry doctor' } = error as { message?: string; hint?: string }
    const warning = {
      code: 'EXPANSION_FAILED',
      message: `Searched with the question alone: ${message}`,
      hint,
    }
    return { variations: [], warnings: [warning] }
  }
}

/** The question's lists and those of its rewrites. Without the original its lists are dropped, if there are others. */
export const joinLanes = (own: LaneResults, further: LaneResults, plan: Plan): LaneResults => {
  const { includeOriginal, originalWeight } = plan.settings.multiQuery
  if (further.lists.length === 0) return { ...own, warnings: [...own.warnings, ...further.warnings] }
  const weighed = <Part extends { readonly weight: number }>(part: Part): Part => ({
    ...part,
    weight: originalWeight,
  })
  return {
    lists: [...(includeOriginal ? own.lists.map(weighed) : []), ...further.lists],
    // Where the rewrites have no vectors, those of the question still say how near a chunk is.
    vectors:
      includeOriginal || further.vectors.length === 0
        ? [...own.vectors.map(weighed), ...further.vectors]
        : further.vectors,
    warnings: [...own.warnings, ...further.warnings],
  }
}

const routed = async (
  variations: readonly QuestionVariation[],
  plan: Plan,
  index: IndexReader,
): Promise<readonly Variation[]> => {
  const { settings, source, limit } = plan
  // Taken literally, and without a question to be merged into, every variation is a question of its own.
  const isPlain = settings.profile === 'classic' || !settings.multiQuery.includeOriginal
  const routeOf = (strategy: VariationSource) => (isPlain ? alone(1) : BEST_ROUTES[strategy])
  const worded = await Promise.all(
    variations.map(async ({ strategy, text }) => ({
      text,
      route: routeOf(strategy),
      terms: await weighTerms(text, index, source),
    })),
  )
  const own = worded
    .filter(({ route }) => Object.values(route.lanes).some(weight => weight > 0))
    .map(({ text, route, terms }) => ({
      ...{ terms, passages: [text], weights: route.lanes, isOriginal: false },
      depth: Math.max(2 * limit, LEAST_DEPTH),
    }))
  const merged = worded.filter(({ route }) => route.words > 0)
  return merged.length === 0 ? own : [...own, withWords(merged, plan)]
}

/** The specification: `max(2k, 20)`. */
const LEAST_DEPTH = 20
const MOST_TERMS = 64
/** What the list with the added words counts: as much as the question's own. */
const WORDS_WEIGHT = 2

const withWords = (
  merged: readonly { readonly route: Route; readonly terms: readonly WeighedTerm[] }[],
  { asked, settings }: Plan,
): Variation => {
  const terms = new Map(asked.terms.map(term => [term.token, term]))
  for (const { route, terms: further } of merged)
    for (const term of further) {
      const weight = (terms.get(term.token)?.weight ?? 0) + route.words * term.weight
      terms.set(term.token, { ...term, weight })
    }
  const bySay = [...terms.values()].sort((a, b) => b.weight * b.rarity - a.weight * a.rarity)
  return {
    terms: bySay.slice(0, MOST_TERMS),
    passages: [],
    weights: { vector: 0, text: WORDS_WEIGHT, symbol: WORDS_WEIGHT },
    depth: settings.lanes.top,
    isOriginal: false,
  }
}
