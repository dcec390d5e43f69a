/** The promises that backends keep. Each port is small; `testing/` holds the suite that an adapter must pass. */

import type { ExpansionTokens, IndexState, QuestionVariation } from './answers.js'
import type { ChunkFilter, QueryTerm, Ranked } from './questions.js'
import type { ExpansionStrategy } from './settings.js'
import type {
  Chunk,
  ChunkBeside,
  ChunkId,
  ChunkKind,
  FieldName,
  PreparedDocument,
  Skipped,
  SourceDocument,
  StoredChunk,
} from './types.js'

/** Where documents come from. */
export interface Source {
  readonly kind: ChunkKind
  /**
   * Compares the world with what the index holds (path → stamp and content hash) and says what to do. Reads directories
   * and file status only. Paths come out sorted; skipped files come with a reason; nothing is left out silently.
   */
  changes(known: ReadonlyMap<string, KnownDocument>, signal?: AbortSignal): Promise<SourceChanges>
  /**
   * Reads the documents at these paths, in order, one at a time, as the caller asks for them. A file that cannot be
   * read, or should not be, is yielded as a skip. A document is never a mix of two versions of its file.
   */
  read(paths: readonly string[], signal?: AbortSignal): AsyncIterable<SourceDocument | Skipped>
  /** Where the whole source can be named in one short text: while it stays the same, so does every document. */
  stamp?(): Promise<string>
  /** The same where only a look at everything can name the source: the look is kept, for when it was not the same. */
  look?(signal?: AbortSignal): Promise<SourceLook>
  /** From the next `changes` on notices what stirs. A second one takes the place of the first. */
  watch?(): SourceWatch
}

/** One look at the whole source. */
export interface SourceLook {
  /** While it stays the same, so does every document, and everything that was left out. */
  readonly stamp: string
  /** How many documents there are to read. */
  readonly documents: number
  /** As `Source.changes`, of what was seen. */
  changes(known: ReadonlyMap<string, KnownDocument>): SourceChanges
  /** Whether what was read since is what was seen: only then the index holds what the stamp names. */
  isOf(read: { readonly path: string; readonly stamp?: string }): boolean
}

/** Says that something may have changed, never what: only `changes` knows. */
export interface SourceWatch {
  /**
   * Grows with every stir. The same number before one whole `changes` and now: nothing has changed since. null where that
   * cannot be told, or no longer.
   */
  stirs(): number | null
  /** Told of every stir, and of the end of watching. */
  onStir(listener: () => void): void
  close(): void
}

export interface KnownDocument {
  readonly stamp: string
  readonly contentHash: string
}

export interface SourceChanges {
  /** New or with another stamp: to be read. */
  readonly touched: readonly string[]
  /** In the index, no longer in the source. */
  readonly gone: readonly string[]
  readonly unchanged: number
  readonly skipped: readonly Skipped[]
}

/** Cuts documents. Chunks come in order and together cover every line that is not blank. */
export interface Chunker {
  /** Changes whenever the same text would be cut otherwise: a new id re-cuts the index. */
  readonly id: string
  chunk(document: SourceDocument, signal?: AbortSignal): Promise<readonly Chunk[]>
  /** Ends workers. Afterwards the chunker must not be used. */
  close(): Promise<void>
}

/** Turns text into unit vectors. */
export interface Embedder {
  /** Model, revision, token limit: vectors of different ids are never compared. */
  readonly id: string
  readonly dimensions: number
  /** One vector of length 1 per text, in order; a text that cannot be embedded yields null, never a zero vector. */
  embed(
    texts: readonly string[],
    role: 'question' | 'passage',
    signal?: AbortSignal,
  ): Promise<(Float32Array | null)[]>
  /** Begins to load what the first text will need. */
  warm?(): void
  close(): Promise<void>
}

/** Scores pairs of question and text. */
export interface Reranker {
  readonly id: string
  /** How many texts of a question it is worth reading: what its cost permits. */
  readonly mostTexts: number
  /** One score per text, in order. Any real number, higher is better; callers squash it. */
  score(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>
  close(): Promise<void>
}

/** Writes variations of a question. */
export interface Expander {
  /** Kind and model, as an answer names it: `openai/gpt-4o-mini`, `local`. */
  readonly id: string
  /**
   * At most `count` variations, distinct, none of them the question itself, each with the strategy that made it. None at all is
   * an answer; whatever keeps the expander from answering is thrown, in words that hold no secret.
   */
  expand(request: ExpansionRequest, signal?: AbortSignal): Promise<Expanded>
}

export interface ExpansionRequest {
  readonly question: string
  readonly count: number
  /** In the order of preference; at least one. */
  readonly strategies: readonly ExpansionStrategy[]
  /** What the question alone finds, best first: for expanders that learn from it. */
  readonly firstResults: () => Promise<readonly StoredChunk[]>
}

export interface Expanded {
  readonly variations: readonly QuestionVariation[]
  /** From an earlier answer: nobody was asked. */
  readonly cached: boolean
  /** What it cost; null where nobody counts. */
  readonly tokens: ExpansionTokens | null
}

/** Opens one index. Any number of readers and one writer may be open at a time, in any number of processes. */
export interface Store {
  /** `INDEX_MISSING` when there is none yet; `INDEX_OUTDATED`, `INDEX_TOO_NEW`, `INDEX_DAMAGED` as they say. */
  openReader(): Promise<IndexReader>
  /** Creates the index when there is none. `INDEX_LOCKED`, with pid and start time, while another writer is open. */
  openWriter(identity: IndexIdentity): Promise<IndexWriter>
  /** Throws `INDEX_LOCKED` while a writer is open: asked before several indexes are deleted together. */
  refuseWhileWriting(): Promise<void>
  /** Deletes the index and everything derived from it. */
  purge(): Promise<void>
  /** Checks everything that can be checked; an empty list is a clean bill. `deep` reads every page. */
  check(deep: boolean): Promise<readonly string[]>
}

export interface IndexIdentity {
  /** The directory the index is of. */
  readonly root: string
  readonly chunkerId: string
}

/** The query side. Every call sees a state that some commit left behind. */
export interface IndexReader {
  state(): Promise<IndexState>
  /** Best first; at most `limit`. Terms are combined with OR and scored by BM25F as the caller weighs it. */
  matchTerms(
    terms: readonly QueryTerm[],
    scoring: TextScoring,
    filter: ChunkFilter,
    limit: number,
  ): Promise<Ranked[]>
  /** Cosine with every vector of this embedder, best first; at most `limit`. */
  nearest(embedderId: string, vector: Float32Array, filter: ChunkFilter, limit: number): Promise<Ranked[]>
  /** In the order asked for; ids that are no longer there are left out. */
  chunks(ids: readonly ChunkId[]): Promise<StoredChunk[]>
  /** Chunks of a document in order; empty when it is not indexed. */
  chunksOf(path: string): Promise<StoredChunk[]>
  /** These chunks and, of each, so many before and after it in its document; each once, in no order. */
  chunksAround(ids: readonly ChunkId[], before: number, after: number): Promise<ChunkBeside[]>
  /** Hunks that change a file at one of these paths, or moved it away from there; of the `limit` newest such commits, newest first. */
  hunksAt(paths: readonly string[], limit: number): Promise<StoredChunk[]>
  /** What the source was called when the last complete run took it in; null where it has no such name. */
  sourceStamp(): Promise<string | null>
  /** Chunks with this digest. */
  chunksByDigest(digest: string): Promise<StoredChunk[]>
  /** What the index holds of this kind, by path. */
  known(kind: ChunkKind): Promise<Map<string, KnownDocument>>
  /** Vectors of these chunks; chunks without one are absent. */
  vectors(embedderId: string, ids: readonly ChunkId[]): Promise<Map<ChunkId, Float32Array>>
  /** Cosine of each of these chunks with a vector; chunks that have none of this embedder are absent. */
  cosines(
    embedderId: string,
    vector: Float32Array,
    ids: readonly ChunkId[],
  ): Promise<ReadonlyMap<ChunkId, number>>
  /** Document frequency of each token over all fields, and the number of chunks. */
  frequencies(
    tokens: readonly string[],
  ): Promise<{ readonly total: number; readonly counts: Map<string, number> }>
  /** What the last run left out, with reasons, sorted by path. */
  skipped(): Promise<Skipped[]>
  /** Another number after every commit that added, replaced or removed chunks: ids hold as long as it stays. */
  generation(): Promise<number>
  close(): Promise<void>
}

/** How the text lane counts. */
export interface TextScoring {
  /** Of each field; an absent field counts nothing. */
  readonly weights: Readonly<Partial<Record<FieldName, number>>>
  /** How slowly repetition saturates. */
  readonly k1: number
  /** How much a field's length counts against it: 0 not at all, 1 in full. */
  readonly lengthCorrection: Readonly<Record<FieldName, number>>
  /** The length of a field, in tokens, that counts neither for nor against it; absent, the average of the index. */
  readonly usualLength?: Readonly<Partial<Record<FieldName, number>>>
}

/** The index side. Each call is one transaction: done whole when it resolves, or not at all. */
export interface IndexWriter {
  /** What the index holds of this kind, by path. */
  known(kind: ChunkKind): Promise<Map<string, KnownDocument>>
  /** Replaces or adds documents, with vectors of the embedders that are quick enough to come along. */
  commit(documents: readonly PreparedDocument[], vectors: readonly VectorBatch[]): Promise<void>
  /** Same content under a new stamp. */
  restamp(kind: ChunkKind, stamps: ReadonlyMap<string, string>): Promise<void>
  remove(kind: ChunkKind, paths: readonly string[]): Promise<void>
  /** Replaces the list of what was left out. */
  recordSkipped(kind: ChunkKind, skipped: readonly Skipped[]): Promise<void>
  /**
   * Up to `limit` chunks that have no vector of this embedder yet, the most recently changed documents first, one chunk
   * for each embedding hash; `total` counts the hashes that wait.
   */
  pending(
    embedderId: string,
    limit: number,
  ): Promise<{ readonly total: number; readonly chunks: StoredChunk[] }>
  saveVectors(batch: VectorBatch): Promise<void>
  /** Marks the beginning of a run over a source: until `finish` this is what it is called. */
  begin(sourceStamp: string): Promise<void>
  /** Marks a complete run: everything the source held, under this stamp, is in the index. */
  finish(at: number, sourceStamp?: string): Promise<void>
  close(): Promise<void>
}

export interface VectorBatch {
  readonly embedderId: string
  readonly dimensions: number
  /** By embedding hash; null means the text cannot be embedded and is not asked for again. */
  readonly vectors: ReadonlyMap<string, Float32Array | null>
}
