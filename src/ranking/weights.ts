import type { QuestionKind } from '../core/types.js'
import { FEATURES, type FeatureName } from './features.js'

export type WeightTable = Readonly<
  Record<'first' | 'full', Readonly<Record<QuestionKind, Readonly<Record<FeatureName, number>>>>>
>

const start: Partial<Record<FeatureName, number>> = { text: 1, textRank: 0.9, symbol: 1.5, symbolRank: 1.2, vector: 1.5, fileText: 0.2, fileTextRank: 0.5, fileVector: 1.2, pathCover: 1.8, stemReverse: 1.4, directoryCover: 0.9, definition: 1.6, test: -3, documentation: -3, depth: -2, compat: -0.5 }
const row = Object.fromEntries(FEATURES.map(name => [name, start[name] ?? 0])) as Record<FeatureName, number>
const kinds = { symbol: row, question: row, report: row, prose: row }
export const WEIGHTS: WeightTable = { first: kinds, full: kinds }
