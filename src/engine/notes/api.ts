/** What the front door offers of notes. */

import type { Answer, IndexState } from '../../core/answers.js'
import type { NoteDocument, NoteFilter, NoteSummary } from '../../core/notes.js'
import type { SearchRequest } from '../api.js'

export interface Notes {
  /** Whether anything was ever noted here. */
  isThere(): boolean
  /** Takes in Markdown, text and conversations from files and directories. The same twice adds nothing. */
  add(paths: readonly string[], request?: AddNotesRequest): Promise<NotesReport>
  /** Notes a text. It is on the disk when this resolves. */
  remember(text: string, request?: RememberRequest): Promise<Remembered>
  /** Takes out a remembered note, or one turn of a conversation, by the id that was printed. */
  forget(id: string): Promise<Forgotten>
  list(filter?: NoteFilter): Promise<readonly NoteSummary[]>
  /** By name, or the id of a remembered note. */
  show(name: string): Promise<NoteDocument>
  /** Takes out whole notes, by name or glob; the names of those that were there. */
  remove(names: readonly string[]): Promise<readonly string[]>
  /** Everything, as lines that `import` takes; of a damaged notebook whatever can be read. */
  export(): Promise<NotesExport>
  /** Takes in a file that `export` wrote. What is there already stays, unless it is to be replaced; conversations are joined. */
  import(path: string, request?: ImportRequest): Promise<NotesReport>
}

export interface AddNotesRequest {
  readonly tags?: readonly string[]
  /** `markdown`, `text`, `jsonl`, `chatgpt`, `claude`, `slack`, `whatsapp`; by the name of the file and what is in it unless told. */
  readonly format?: string
  /** Told how many files were read so far. */
  readonly onFile?: (count: number) => void
  readonly signal?: AbortSignal
}

export interface NotesReport {
  readonly files: number
  /** Notes: a file, or a day of a conversation. */
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  /** Turns that were not there before. */
  readonly turns: number
  /** What was not taken in, with the line where a single one is meant; with `isTaken`, what was odd and taken in all the same. */
  readonly remarks: readonly {
    readonly path: string
    readonly line?: number
    readonly message: string
    readonly isTaken: boolean
  }[]
}

export interface NotesExport {
  readonly count: number
  /** Each with its line break, one note in memory at a time. */
  readonly lines: AsyncIterable<string>
  /** What a damaged notebook no longer holds, or not as it was written. */
  readonly lost: readonly string[]
}

export interface ImportRequest {
  /** Puts what comes in in place of another note of the same name. */
  readonly replace?: boolean
}

/** What was noted, and how much of it can be found. */
export interface NotesStatus {
  readonly file: string
  readonly notes: number
  readonly sessions: number
  /** Not in the index yet; the next `recall` takes them in. */
  readonly pending: number
  readonly index: IndexState | null
}

export interface RememberRequest {
  readonly tags?: readonly string[]
  /** When it happened, in milliseconds since 1970. Default: now. */
  readonly time?: number
}

export interface Remembered {
  /** What `forget` takes. */
  readonly id: string
  readonly name: string
  readonly tags: readonly string[]
  readonly time: string
  /** False where it was noted before. */
  readonly isNew: boolean
}

export interface Forgotten {
  readonly name: string
  /** Of a conversation: the number of the turn. */
  readonly turn?: number
  readonly text: string
}

export interface RecallRequest extends SearchRequest {
  readonly session?: string
  /** Every one of these. */
  readonly tags?: readonly string[]
  readonly speaker?: string
  /** What "last week" is counted from, in milliseconds since 1970. Default: now. */
  readonly now?: number
}

export type Recall = (question: string, request?: RecallRequest) => Promise<Answer>
