/** The words of `explain`: which commits made lines what they are, and which only look as if they belonged to them. */

import type { CommitHit, IndexState, Warning } from './answers.js'

/** Lines from the first to the second, counted from 1, both included. */
export type LineSpan = readonly [number, number]

/** A commit that says why lines look the way they do, with the hunk that tells most of it. */
export interface ExplainingCommit extends CommitHit {
  /** `exact`: git says so of the very lines. `inferred`: it looks as if it belonged to them. */
  readonly provenance: 'exact' | 'inferred'
  /** What it did to the lines: wrote them, took them away, took the file elsewhere with them, or none of it. */
  readonly role: 'wrote' | 'removed' | 'moved' | 'related'
  /** Of the lines that were asked for, 0–1, and which they are. */
  readonly share: number
  readonly lines: readonly LineSpan[]
  /** The file in that commit and the place of the hunk in it. */
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  /** The same lines where the commit has them; where it removed them, in the version before it. */
  readonly originalLines: readonly LineSpan[]
  readonly symbol: string | null
  /** The hunk; empty where the commit shows none of the lines. */
  readonly text: string
}

export interface RelatedCommit extends ExplainingCommit {
  readonly why: RelatedReason
  readonly score: number
}

export type RelatedReason = 'touched the same lines before' | 'same symbol' | 'same topic'

/** Why lines of a file look the way they do. */
export interface Explanation {
  readonly path: string
  /** The commit whose version of the file is meant; null for the work tree. */
  readonly at: string | null
  readonly startLine: number
  readonly endLine: number
  /** Newest first. */
  readonly exact: readonly ExplainingCommit[]
  /** Lines that no commit has yet. */
  readonly uncommitted: { readonly share: number; readonly lines: readonly LineSpan[] } | null
  /** Best first. */
  readonly related: readonly RelatedCommit[]
  readonly warnings: readonly Warning[]
  /** Of the history; null while there is none. */
  readonly index: IndexState | null
}
