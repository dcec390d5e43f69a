/** The words for what goes through the query path: terms, filters, candidates and what each stage wrote of them. No logic. */

import type { ChunkId, ChunkKind, StoredChunk } from './types.js'

/** The names of the lanes; `vector` may hold several lists, one for each embedder. */
export type LaneName = 'vector' | 'text' | 'symbol'

/** One row of a lane: best first, `score` higher is better and only comparable inside its list. */
export interface Ranked {
  readonly id: ChunkId
  readonly score: number
}

/** One token of a question with its weight; the store adds its own rarity weight. */
export interface QueryTerm {
  readonly token: string
  readonly weight: number
}

/** A term with how rare it is in this index: what it says of a chunk is worth `weight × rarity`. */
export interface WeighedTerm extends QueryTerm {
  readonly rarity: number
}

/** Narrows a lane before its cut-off. Absent fields do not narrow. */
export interface ChunkFilter {
  readonly kinds?: readonly ChunkKind[]
  readonly languages?: readonly string[]
  /** Globs over the path (`src/**`, `*.ts`); a leading `!` excludes. */
  readonly paths?: readonly string[]
  readonly author?: string
  /** Milliseconds since 1970. */
  readonly since?: number
  readonly until?: number
  /** Only these documents, by the path they are known by. */
  readonly documents?: readonly string[]
  /** Of conversations: only what this one said, whatever the case of the name. */
  readonly speaker?: string
}

/** A stretch of time that a question speaks of; open where an end is absent. Milliseconds since 1970. */
export interface Period {
  readonly since?: number
  readonly until?: number
}

/** The two sides of a change. */
export type ChangedLines = 'added' | 'removed'

/** What a stage did to a candidate and why; `--explain` prints these lines as they are. */
export interface LedgerLine {
  readonly stage: string
  /** The candidate's score after this stage. */
  readonly score: number
  readonly why: string
}

/** A chunk on its way through the query path. */
export interface Candidate {
  readonly chunk: StoredChunk
  readonly score: number
  readonly ledger: readonly LedgerLine[]
  /** What the lanes and models said of it: inputs of the ranking features. */
  readonly signals: Signals
  readonly surroundings?: Surroundings
}

/** Of a candidate from the notes: what was measured of it and of the turns beside it. */
export interface Surroundings {
  readonly own: HeardTurn
  readonly before: HeardTurn | null
  readonly after: HeardTurn | null
  /** The turn before the one before. */
  readonly earlier: HeardTurn | null
}

export interface HeardTurn {
  readonly text: string
  readonly signals: Signals
  /** For each content word of the question how like the likest word of the turn is: 1 the same, 0 nothing like it. */
  readonly likeness: ArrayLike<number>
}

/** Raw measurements of a candidate, before any weighting. */
export interface Signals {
  /** Rank from 1 in each lane list that holds the chunk. */
  readonly ranks: Readonly<Partial<Record<LaneName, number>>>
  /** Score in each lane, as a share of the best score of that lane (0–1). */
  readonly strengths: Readonly<Partial<Record<LaneName, number>>>
  /** Cosine with the question, by embedder id; absent while the chunk has no such vector. */
  readonly cosines: Readonly<Record<string, number>>
}

/**
 * What sort of question it is; learned weights are kept apart for each: a name to look up, a question about a code base, a
 * long report, a question to a collection of prose, or of snippets whose paths say nothing.
 */
export type QuestionKind = 'symbol' | 'question' | 'report' | 'prose' | 'snippet'
