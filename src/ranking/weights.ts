import type { FeatureName } from './features.js'
import type { QuestionKind } from '../core/types.js'
export type WeightTable = Readonly<Record<'first' | 'full', Readonly<Record<QuestionKind, readonly number[]>>>>
const start: Partial<Record<FeatureName, number>> = { text: 2, textRank: 0.5, fileText: 1, vector: 1, fileVector: 0.5, pathCover: 2, stemReverse: 1, definition: 2, test: -1.5, example: -1.5, compat: -1 }
import { FEATURES } from './features.js'
const row = FEATURES.map(name => start[name] ?? 0)
export const WEIGHTS: WeightTable = { first: { symbol: row, question: row, report: row }, full: { symbol: row, question: row, report: row } }
