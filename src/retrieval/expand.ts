/**
 * Multi-query: further wordings of the question go through the lanes beside it, each strategy on the route that was measured to
 * help. Opt-in; else the identity. Whatever goes wrong here, the question alone is still answered.
 */

import type { Expansion, QuestionVariation, VariationSource, Warning } from '../core/answers.js'
import type { Expander, IndexReader } from '../core/ports.js'
import type { LaneName, WeighedTerm } from '../core/questions.js'
import type { StoredChunk } from '../core/types.js'
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
  /**
   * As words beside those of the question, in one further text and symbol list for all variations: what each word counts against
   * one of the question, and what that list counts.
   */
  readonly words: { readonly each: number; readonly list: number }
}

const NO_LANE = { vector: 0, text: 0, symbol: 0 } as const
const NO_WORDS = { each: 0, list: 0 } as const
const alone = (weight: number): Route => ({
  lanes: { vector: weight, text: weight, symbol: weight },
  words: NO_WORDS,
})
const asWords = (each: number, list: number): Route => ({ lanes: NO_LANE, words: { each, list } })
const inText = (weight: number): Route => ({
  lanes: { vector: 0, text: weight, symbol: weight },
  words: NO_WORDS,
})

/**
 * Measured on the recorded rewrites: docs/multi-query.md has the table. What a rewrite means pulls the vector lane away from the
 * question, at every weight that was tried; what it says helps the text lane, most of all in one list with the question's own words.
 */
const BEST_ROUTES: Readonly<Record<VariationSource, Route>> = {
  entity: asWords(1, 3),
  paraphrase: asWords(0.5, 3),
  'step-back': inText(0.25),
  decompose: inText(0.25),
  feedback: asWords(0.3, 1),
  // With lists of its own in every lane: −.050 instead of +.004 on cosqa, and four times the time.
  caller: asWords(0.5, 3),
}

/** "That thing" says nothing by itself: then what the caller wrote is a question of its own too. */
const VAGUE_CALLER: Route = {
  lanes: { vector: 0.5, text: 0.5, symbol: 0.5 },
  words: { each: 0.5, list: 3 },
}
const isVague = ({ kind, contentWords }: Plan): boolean => kind !== 'symbol' && contentWords.length < 2

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

/** The words of the question and of those rewrites that take part as words, where there are any. */
export const rewordedBy = ({ variations }: ExpandedPlan): { readonly reworded?: readonly WeighedTerm[] } => {
  const merged = variations.find(({ passages }) => passages.length === 0)
  return merged ? { reworded: merged.terms } : {}
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
  const routes = isVague(plan) ? { ...BEST_ROUTES, caller: VAGUE_CALLER } : BEST_ROUTES
  const routeOf = (strategy: VariationSource) => (isPlain ? alone(1) : routes[strategy])
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
  const merged = worded.filter(({ route }) => route.words.each > 0)
  return merged.length === 0 ? own : [...own, withWords(merged, plan)]
}

/** The specification: `max(2k, 20)`. */
const LEAST_DEPTH = 20
const MOST_TERMS = 64

const withWords = (
  merged: readonly { readonly route: Route; readonly terms: readonly WeighedTerm[] }[],
  { asked, settings }: Plan,
): Variation => {
  const terms = new Map(asked.terms.map(term => [term.token, term]))
  for (const { route, terms: further } of merged)
    for (const term of further) {
      const weight = (terms.get(term.token)?.weight ?? 0) + route.words.each * term.weight
      terms.set(term.token, { ...term, weight })
    }
  const list = Math.max(...merged.map(({ route }) => route.words.list))
  const bySay = [...terms.values()].sort((a, b) => b.weight * b.rarity - a.weight * a.rarity)
  return {
    terms: bySay.slice(0, MOST_TERMS),
    passages: [],
    weights: { vector: 0, text: list, symbol: list },
    depth: settings.lanes.top,
    isOriginal: false,
  }
}
