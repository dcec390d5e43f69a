/** What reading a file yields: notes that are not in the notebook yet, and what could not be read of it. */

import type { Turn } from '../../core/notes.js'

export interface TextDraft {
  readonly form: 'markdown' | 'text'
  readonly text: string
  readonly tags: readonly string[]
  /** As the note itself says; null where it does not. */
  readonly time: number | null
  /** When the file was changed: a guess at its time. */
  readonly modified: number
}

/** Turns of one conversation, in order, over any number of days. */
export interface SessionDraft {
  readonly form: 'session'
  readonly turns: readonly Turn[]
}

/** A file, or the part of it, that was not taken in; or, with `isTaken`, taken in although something is odd about it. */
export interface Remark {
  readonly path: string
  /** From 1, where a single line is meant. */
  readonly line?: number
  readonly message: string
  readonly isTaken: boolean
}

export interface NoteFile {
  /** Absolute. */
  readonly path: string
  /** Below the directory that was added, with `/` between its parts. */
  readonly name: string
  readonly drafts: readonly (TextDraft | SessionDraft)[]
  readonly remarks: readonly Remark[]
}

/** How a file is written. */
export type NoteFormat = 'markdown' | 'text' | 'jsonl' | 'chatgpt' | 'claude' | 'slack' | 'whatsapp'
