/** The words for what comes out of the front door: hits, answers, warnings, progress and reports. No logic. */

import type { NeighbourTurn, NoteFacts } from './notes.js'
import type { LedgerLine } from './questions.js'
import type { ExpansionStrategy } from './settings.js'
import type { ChangedFile, ChunkKind, SkipReason } from './types.js'

/** One result as every door shows it; those from history say more. */
export interface Hit extends Partial<CommitHit>, Partial<TouchedNames> {
  readonly id: string
  readonly kind: ChunkKind
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly symbol: string | null
  readonly language: string
  readonly score: number
  readonly text: string
  readonly explain?: readonly LedgerLine[]
  readonly related?: readonly RelatedSymbol[]
  /** Only of notes, as are the neighbours: the turns before and after a turn. */
  readonly note?: NoteFacts
  readonly neighbours?: readonly NeighbourTurn[]
}

/** What a hit from history says beside its hunk. Where a commit changes no text, path is empty and text its message. */
export interface CommitHit {
  /** The commit's full id. */
  readonly commit: string
  readonly author: string
  readonly email: string
  /** ISO 8601: when it was written, and when it came to stand where it stands. */
  readonly date: string
  readonly committed: string
  readonly message: string
  readonly change: ChangedFile['change'] | null
  readonly oldPath?: string
  /** How many hunks the commit has. */
  readonly hunks: number
}

/** The names that a hunk touches. `exact`: by a parse of that version of the file; `inferred`: by the hunk alone. */
export interface TouchedNames {
  readonly symbols: readonly string[]
  readonly symbolProvenance: 'exact' | 'inferred'
}

/** Where a name that a change touched is defined now. */
export interface RelatedSymbol {
  readonly symbol: string
  readonly path: string
  readonly line: number
}

/** Something the reader should know about an answer, with the command that mends it if there is one. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

/** What made a variation: a strategy, words that the first results have in common (`feedback`), or the asker. */
export type VariationSource = ExpansionStrategy | 'feedback' | 'caller'

/** A further wording of a question. */
export interface QuestionVariation {
  readonly strategy: VariationSource
  readonly text: string
}

export interface ExpansionTokens {
  readonly prompt: number
  readonly completion: number
}

/** What multi-query searched with beside the question, who wrote it and what that cost. */
export interface Expansion {
  readonly expander: string
  readonly variations: readonly QuestionVariation[]
  readonly cached: boolean
  readonly tokens: ExpansionTokens | null
  readonly milliseconds: number
}

export interface Answer {
  readonly query: string
  /** What of the question was taken as a filter, and as which. */
  readonly understood?: readonly string[]
  /** Only where further wordings were asked for. */
  readonly expansion?: Expansion
  readonly hits: readonly Hit[]
  readonly warnings: readonly Warning[]
  readonly index: IndexState
}

/** What an answer was made from. Computed from counts, never from a flag. */
export interface IndexState {
  readonly documents: number
  readonly chunks: number
  /** Share of chunks (0–1) that have a vector, by embedder id. */
  readonly vectors: Readonly<Record<string, number>>
  /** When the last index run ended, ISO 8601, or null while none ever did. */
  readonly indexedAt: string | null
}

/** What an index run tells its caller as it goes. */
export interface Progress {
  /** `chunk` counts files, `history` commits, `notes` notes, `model` bytes, `embed` chunks. A stage without work is not told of. */
  readonly stage: 'chunk' | 'history' | 'notes' | 'model' | 'embed'
  readonly done: number
  readonly total: number
  /** Items each second so far, and seconds to go as far as can be told. */
  readonly rate: number
  readonly etaSeconds: number | null
}

/** What an index run did. */
export interface IndexReport {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly unchanged: number
  readonly chunks: number
  readonly embedded: number
  readonly pendingVectors: number
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>
  readonly warnings: readonly Warning[]
  readonly seconds: number
  /** The same of the git history, where there is one: commits for files, hunks for chunks. */
  readonly history?: IndexReport
  /** The same of the notes, where there are any. */
  readonly notes?: IndexReport
}
