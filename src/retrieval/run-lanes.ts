/** Second stage: every variation × every lane, in parallel. A failing lane costs its list, never the answer. */

import type { Embedder, IndexReader, TextScoring } from '../core/ports.js'
import type { LaneName, Ranked, Warning } from '../core/types.js'
import type { Plan, Variation } from './plan.js'
import { LINE_SCORING, SCORING } from './scoring.js'

export interface LaneList {
  readonly lane: LaneName
  readonly ranked: readonly Ranked[]
  /** The vector lane has a list for each embedder. */
  readonly embedderId?: string
}

/** The question in the space of one embedder. */
export interface QuestionVector {
  readonly embedderId: string
  readonly vector: Float32Array
}

export interface LaneResults {
  readonly lists: readonly LaneList[]
  /** Vectors of the question itself, best embedder first. */
  readonly vectors: readonly QuestionVector[]
  readonly warnings: readonly Warning[]
}

export const runLanes = async (
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
      lane,
      ranked: await index.matchTerms(variation.terms, scoring, plan.filter, plan.settings.lanes.top),
    }))

  const inLane = async (variation: Variation): Promise<(LaneList | null)[][]> => {
    if (plan.lines !== undefined) return [[await text(variation, 'text', LINE_SCORING[plan.lines])]]
    const vectors = await guarded('vector', () => embedQuestion(variation.passages, embedders, signal))
    questionVectors.push(...(vectors ?? []))
    return [
      await Promise.all([
        ...(vectors ?? []).map(({ embedderId, vector }) =>
          guarded('vector', async () => ({
            lane: 'vector' as const,
            embedderId,
            ranked: await index.nearest(embedderId, vector, plan.filter, plan.settings.lanes.top),
          })),
        ),
        text(variation, 'text', SCORING[plan.source].text),
        text(variation, 'symbol', SCORING[plan.source].symbol),
      ]),
    ]
  }

  const questionVectors: QuestionVector[] = []
  const lists = (await Promise.all(plan.variations.map(inLane))).flat(2)
  return { lists: lists.filter(list => list !== null), vectors: questionVectors, warnings }
}

/** Long reports are the mean of their title and their prose. */
const embedQuestion = async (
  passages: readonly string[],
  embedders: readonly Embedder[],
  signal?: AbortSignal,
): Promise<QuestionVector[]> => {
  if (passages.length === 0) return []
  const questions = await Promise.all(
    embedders.map(async embedder => {
      const vectors = await embedder.embed(passages, 'question', signal)
      const present = vectors.filter(vector => vector !== null)
      return present.length === 0 ? [] : [{ embedderId: embedder.id, vector: mean(present) }]
    }),
  )
  return questions.flat()
}

const mean = (vectors: readonly Float32Array[]): Float32Array => {
  if (vectors.length === 1) return vectors[0]!
  const total = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (let i = 0; i < total.length; i++) total[i]! += vector[i]!
  const length = Math.hypot(...total) || 1
  return total.map(value => value / length)
}
