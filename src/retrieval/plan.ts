/** What `understand` makes of a question: everything later stages need to know about it. Nobody parses it again. */

import type {
  ChangedLines,
  ChunkFilter,
  LaneName,
  Period,
  QuestionKind,
  WeighedTerm,
} from '../core/questions.js'
import type { Settings } from '../core/settings.js'
import type { ChunkKind } from '../core/types.js'

export interface Plan {
  readonly question: string
  readonly kind: QuestionKind
  /** What is searched. */
  readonly source: ChunkKind
  /** Tokens of the question that this index knows, those that say most first. */
  readonly terms: readonly WeighedTerm[]
  /** Of these, what the first line of a report says; all of a question. */
  readonly titleTerms: readonly WeighedTerm[]
  /** Names the question spells out (`parseUrl`, `Foo::bar`), as written. */
  readonly names: readonly string[]
  /** What embedders read: the question itself, or the prose of a long report. */
  readonly passages: readonly string[]
  /** The question as the lanes take it. Its rewrites come from `expand`. */
  readonly asked: Variation
  readonly filter: ChunkFilter
  /** Of history: look at nothing but the lines that a change added, or removed. */
  readonly lines?: ChangedLines
  /** Of notes: the time the question speaks of. A wish, not a filter: what is asked may have been told later. */
  readonly period?: Period
  /** Of notes: the speakers that the question names. */
  readonly speakers: readonly string[]
  /** Words of the question that say something, as written, without the speakers; and how rare each is. */
  readonly contentWords: readonly string[]
  readonly contentRarities: readonly number[]
  readonly limit: number
  readonly settings: Settings
  readonly now: number
}

/** One wording of the question on its way through the lanes. */
export interface Variation {
  readonly terms: readonly WeighedTerm[]
  readonly passages: readonly string[]
  /** What its list counts, by lane; a lane with 0 is not asked. */
  readonly weights: Readonly<Record<LaneName, number>>
  /** How many chunks each list holds. */
  readonly depth: number
  /** The question as it was asked, not a rewrite of it. */
  readonly isOriginal: boolean
}
