/** How many of the models of the settings, the quickest first, the chunks of an index are worth. */

import type { IndexState } from '../core/answers.js'
import type { Settings } from '../core/settings.js'

export type ModelsWorth = (index: IndexState) => number

/** A project that has just begun has few files, all short: that makes no collection. */
const FEWEST_FILES = 100

/**
 * In a repository the second model brought nothing (code-search .898 nDCG@10 with the first alone, .894 with both) for twice the time of
 * the first. Where a file is one function or one abstract there is little else to go by (cosqa .520 MRR@10 and .570, scifact .735
 * nDCG@10 and .742).
 */
export const worthOfCode =
  ({ embedding: { models, furtherModelsBelow } }: Pick<Settings, 'embedding'>): ModelsWorth =>
  ({ documents, chunks }) =>
    documents >= FEWEST_FILES && chunks < furtherModelsBelow * documents ? models.length : 1

/** What is not indexed yet is taken for a repository. */
export const modelsNeeded = (
  { embedding: { models } }: Pick<Settings, 'embedding'>,
  worth: ModelsWorth,
  index: IndexState | null,
): readonly string[] => models.slice(0, index === null || index.chunks === 0 ? 1 : worth(index))

/** How much of an index (0–1) has vectors of a model. */
export const shareOf = (model: string, vectors: IndexState['vectors']): number =>
  Object.entries(vectors).find(([id]) => id.startsWith(`${model}/`))?.[1] ?? 0

/** One vector for each commit, by the quickest model: a second one was not worth the time it takes (docs/history.md). */
export const worthOfHistory: ModelsWorth = () => 1

/** All of them: what people say is prose, and short. */
export const worthOfNotes: ModelsWorth = () => Number.POSITIVE_INFINITY
