/** Second stage: every variation × every lane, in parallel. A failing lane costs its list, never the answer. */

import { setImmediate } from 'node:timers/promises'
import type { Warning } from '../core/answers.js'
import type { Embedder, IndexReader, TextScoring } from '../core/ports.js'
import type { LaneName, Ranked } from '../core/questions.js'
import type { Plan, Variation } from './plan.js'
import { LINE_SCORING, SCORING } from './scoring.js'

export interface LaneList {
  readonly lane: LaneName
  readonly ranked: readonly Ranked[]
  /** The vector lane has a list for each embedder. */
  readonly embedderId?: string
  /** What it counts beside the other lists. */
  readonly weight: number
  /** Of the question as it was asked, not of a rewrite. */
  readonly isOriginal: boolean
}

/** The question, or a rewrite of it, in the space of one embedder. */
export interface QuestionVector {
  readonly embedderId: string
  readonly vector: Float32Array
  readonly weight: number
}

export interface LaneResults {
  readonly lists: readonly LaneList[]
  /** Best embedder first; the question before its rewrites. */
  readonly vectors: readonly QuestionVector[]
  readonly warnings: readonly Warning[]
}

export const runLanes = async (
  variations: readonly Variation[],
  plan: Plan,
  index: IndexReader,
  embedders: readonly Embedder[],
  signal?: AbortSignal,
): Promise<LaneResults> => {
  const warnings: Warning[] = []
  const guarded = async <Result>(lane: string, work: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await work()
    } catch (error) {
      if (signal?.aborted) throw error
      const message = error instanceof Error ? error.message : String(error)
      warnings.push({
        code: 'LANE_FAILED',
        message: `The ${lane} lane did not answer: ${message}`,
        hint: 'quarry doctor',
      })
      return null
    }
  }

  const text = (variation: Variation, lane: 'text' | 'symbol', scoring: TextScoring) =>
    guarded(lane, async () => ({
      ...{ lane, weight: variation.weights[lane], isOriginal: variation.isOriginal },
      ranked: await index.matchTerms(variation.terms, scoring, plan.filter, variation.depth),
    }))

  const byWords = (variation: Variation): Promise<(LaneList | null)[]> => {
    const { weights } = variation
    const scoring = plan.lines === undefined ? SCORING[plan.source].text : LINE_SCORING[plan.lines]
    return Promise.all([
      ...(weights.text > 0 ? [text(variation, 'text', scoring)] : []),
      ...(weights.symbol > 0 && plan.lines === undefined
        ? [text(variation, 'symbol', SCORING[plan.source].symbol)]
        : []),
    ])
  }

  const byVectors = (
    { isOriginal, depth }: Variation,
    vectors: readonly QuestionVector[],
  ): Promise<(LaneList | null)[]> =>
    Promise.all(
      vectors.map(({ embedderId, vector, weight }) =>
        guarded('vector', async () => ({
          ...{ lane: 'vector' as const, embedderId, weight, isOriginal },
          ranked: await index.nearest(embedderId, vector, plan.filter, depth),
        })),
      ),
    )

  const embed = async () =>
    plan.lines === undefined ? guarded('vector', () => embedAll(variations, embedders, signal)) : null
  // The models compute in threads of their own. What they get is handed over before words are looked up on this one.
  const words = async () => {
    await setImmediate()
    const found = await Promise.all(variations.map(byWords))
    // Asked for no chunk, the store still lays out what it will be asked for next; what fails there will fail again, and be told.
    if (plan.lines === undefined)
      for (const { id } of embedders) await index.vectors(id, []).catch(() => null)
    return found
  }
  const [vectors, worded] = await Promise.all([embed(), words()])
  const lists = await Promise.all(
    variations.map(async (variation, position) => [
      ...(await byVectors(variation, vectors?.[position] ?? [])),
      ...worded[position]!,
    ]),
  )
  return {
    lists: lists.flat().filter(list => list !== null),
    vectors: vectors?.flat() ?? [],
    warnings,
  }
}

/** For each variation its vectors. All passages together: a model reads six of them hardly slower than one. */
const embedAll = async (
  variations: readonly Variation[],
  embedders: readonly Embedder[],
  signal?: AbortSignal,
): Promise<QuestionVector[][]> => {
  const passages = variations.flatMap((variation, owner) =>
    variation.weights.vector > 0 ? variation.passages.map(text => ({ text, owner })) : [],
  )
  const found: QuestionVector[][] = variations.map(() => [])
  if (passages.length === 0) return found
  const embedded = await Promise.all(
    embedders.map(embedder =>
      embedder.embed(
        passages.map(({ text }) => text),
        'question',
        signal,
      ),
    ),
  )
  for (const [position, { id: embedderId }] of embedders.entries())
    for (const [owner, { weights }] of variations.entries()) {
      const mine = embedded[position]!.filter((_, passage) => passages[passage]!.owner === owner)
      const present = mine.filter(vector => vector !== null)
      // Long reports are the mean of their title and their prose.
      if (present.length > 0)
        found[owner]!.push({ embedderId, vector: mean(present), weight: weights.vector })
    }
  return found
}

const mean = (vectors: readonly Float32Array[]): Float32Array => {
  if (vectors.length === 1) return vectors[0]!
  const total = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (let i = 0; i < total.length; i++) total[i]! += vector[i]!
  const length = Math.hypot(...total) || 1
  return total.map(value => value / length)
}
