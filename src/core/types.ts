/** The words for what is indexed: documents, chunks, and what is left out. No logic. */

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
  | 'redacted' // part of a file: indexed with it, taken out of what is shown
  | 'not-a-file' // FIFO, socket, device
  | 'link' // symbolic links are never followed
  | 'unreadable'
  | 'vanished'
  | 'changing'
  | 'too-deep'
  | 'missing-object' // history: git cannot read it
  | 'submodule' // history: a pointer into another repository
