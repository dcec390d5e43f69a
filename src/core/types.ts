/** The words Quarry is made of. No logic lives here; `docs/glossary.md` explains each word to people. */

import type { NeighbourTurn, NoteFacts } from './notes.js'
import type { ExpansionStrategy } from './settings.js'

/** What a chunk is cut from: the work tree, a diff of the git history, or a note. */
export type ChunkKind = 'code' | 'hunk' | 'note'

/** The key of a chunk inside one index. It is the store's own and means nothing outside that index. */
export type ChunkId = number

/** A name that a chunk defines. */
export interface CodeSymbol {
  readonly name: string
  /** `function`, `class`, `method`, `type`, `constant`, `module`, `heading` … */
  readonly kind: string
  /** Container names and the name itself, joined by dots: `Session.mount`. */
  readonly qualifiedName: string
  /** Line of the definition, counted from 1. */
  readonly line: number
}

/** A name with the lines that it takes up, comments and decorators before it included; counted from 1, both ends included. */
export interface NamedRange extends CodeSymbol {
  readonly startLine: number
  readonly endLine: number
}

/** What a commit says of itself. */
export interface CommitFacts {
  readonly sha: string
  readonly author: string
  readonly email: string
  /** Milliseconds since 1970: when it was written, and when it came to stand where it stands. */
  readonly authored: number
  readonly committed: number
  /** The whole message; its first line is the subject. */
  readonly message: string
}

/** A whole text as a source hands it over, before it is cut into chunks. */
export interface SourceDocument {
  readonly kind: ChunkKind
  /** Unique within its kind; for code the path below the root with `/` between its parts, for history the commit's id. */
  readonly path: string
  readonly language: string
  readonly text: string
  /** Hash of the bytes: same hash, same chunks. */
  readonly contentHash: string
  /** What the file system says (size, times, inode): same stamp, nothing to read. */
  readonly stamp: string
  /** Milliseconds since 1970: last change of the file, or the commit's own time. */
  readonly time: number
  /** Only in history, where `text` is the diff of the commit. */
  readonly commit?: CommitFacts
  /** Parts of the document that were left out, with their reasons: binary or over-large files of a commit. */
  readonly omitted?: readonly Skipped[]
}

/** The unit that is stored, embedded, ranked and cited. */
export interface Chunk {
  /** Lines counted from 1, both ends included. */
  readonly startLine: number
  readonly endLine: number
  readonly text: string
  /** `path :: container :: signature`; searched and embedded, never shown. */
  readonly header: string
  /** Names defined here; of a change, the names it touches. */
  readonly symbols: readonly CodeSymbol[]
  /** Where the chunk has another place than its document: the file that a hunk changes. */
  readonly file?: ChangedFile
  /**
   * The text of each search field. Absent: derived from text, header, path and symbols. Null: the chunk is not searched by
   * itself but reached through its document, as hunks are through their commit.
   */
  readonly fields?: FieldTexts | null
}

/** The file a hunk changes. */
export interface ChangedFile {
  /** Its path after the change, or before it where the change deletes it. */
  readonly path: string
  readonly language: string
  readonly change: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied'
  /** Where a renamed or copied file was before. */
  readonly oldPath?: string
}

/** A chunk ready to be stored, with its search tokens: per field, joined by blanks. */
export interface PreparedChunk extends Omit<Chunk, 'fields'> {
  /** Names this chunk to the outside; made from path, place and text. A hunk is called by its commit: `<commit>.<ordinal>`. */
  readonly digest: string
  /** Null: not searched by itself. */
  readonly tokens: FieldTexts | null
  /** Hash of the text that embedders read: vectors are kept under it, so that repeated text is embedded once. Null: never embedded. */
  readonly embeddingHash: string | null
}

/**
 * Search fields are kept apart so that each can have its own weight. Of code: the text, its header, path and names. Of a
 * commit: the lines it adds to code (`body`), to tests and to changelogs (`notes`), those it removes, its message (`header`)
 * and its first line (`title`), the changed paths and the names it touches.
 */
export const FIELD_NAMES = [
  ...(['body', 'header', 'path', 'symbols'] as const),
  ...(['title', 'tests', 'removed', 'notes'] as const),
] as const
export type FieldName = (typeof FIELD_NAMES)[number]
export type FieldTexts = Readonly<Partial<Record<FieldName, string>>>

/** A document with its chunks, as the store takes it: all of it or nothing. */
export interface PreparedDocument {
  readonly document: SourceDocument
  readonly chunks: readonly PreparedChunk[]
}

/** A chunk as the index gives it back. */
export interface StoredChunk extends Omit<Chunk, 'fields'> {
  readonly id: ChunkId
  readonly digest: string
  readonly kind: ChunkKind
  /** Of the chunk itself: the file that a hunk changes. */
  readonly path: string
  /** The path its document is known by: the same for code, the commit's id for history. */
  readonly document: string
  readonly commit?: CommitFacts
  readonly language: string
  readonly time: number
  readonly embeddingHash: string | null
  /** Position among the chunks of its document, from 0, and how many the document has. */
  readonly ordinal: number
  readonly siblings: number
}

/** As much of a chunk as is looked at because of the one beside it. */
export type ChunkBeside = Pick<StoredChunk, 'id' | 'document' | 'ordinal' | 'symbols' | 'text'>

/** What a document left out of the index was left out for. */
export interface Skipped {
  readonly path: string
  readonly reason: SkipReason
  readonly detail?: string
  /** Only where the content was looked at: with the same stamp it need not be looked at again. */
  readonly stamp?: string
}

export type SkipReason =
  | 'ignored-kind' // lock files, images, archives: never worth a search
  | 'binary'
  | 'generated'
  | 'vendored'
  | 'minified'
  | 'too-large'
  | 'empty'
  | 'encoding'
  | 'secret' // .env, private keys
  | 'not-a-file' // FIFO, socket, device
  | 'link' // symbolic links are never followed
  | 'unreadable'
  | 'vanished'
  | 'changing'
  | 'too-deep'
  | 'missing-object' // history: git cannot read it
  | 'submodule' // history: a pointer into another repository

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
  readonly likeness: readonly number[]
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
  /** `model` counts bytes, `history` commits, the others files or chunks. */
  readonly stage: 'walk' | 'chunk' | 'history' | 'model' | 'embed' | 'done'
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
