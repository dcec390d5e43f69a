/** What the chunker and its workers say to each other. */

import type { NamedRange } from '../../../core/types.js'
import type { ChunkPlace } from './cut-text.js'

/** Handed to a worker when it starts. */
export interface WorkerSettings {
  readonly grammarsDirectory: string
  readonly chunkCharacters: number
  readonly parseTimeoutMs: number
}

/** One document to parse; the text has its line ends normalised. */
export interface ParseJob {
  readonly path: string
  readonly language: string
  readonly text: string
  /** Where the chunks are, or where the names are. */
  readonly asked: 'chunks' | 'names'
}

export type WorkerReply =
  /** A grammar was loaded; from now on the clock of the parse runs. */
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: ParseResult; readonly memory: number }

/** Undefined when the parse took too long; a grammar that cannot be loaded is a fault of the installation. */
export type ParseResult =
  | { readonly chunks: readonly ChunkPlace[] }
  | { readonly names: readonly NamedRange[] }
  | 'no-grammar'
  | undefined
