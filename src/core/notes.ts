/** The words of notes and the promise of the notebook that keeps them. Notes are user data: nothing else can rebuild them. */

/** How a note is written: remembered in passing, a Markdown or plain text file, or one day of a conversation. */
export type NoteForm = 'note' | 'markdown' | 'text' | 'session'

/** A note as the notebook keeps it. */
export interface NoteDocument {
  /** Unique: `remembered/<id>`, `sessions/<session>/<day>`, or the path below the directory it was added from. */
  readonly name: string
  readonly form: NoteForm
  /** As it was read; of a session the turns as JSON Lines, one a line. */
  readonly text: string
  readonly tags: readonly string[]
  /** Milliseconds since 1970; 0 where nobody knows. */
  readonly time: number
  readonly added: number
  /** The file it came from; null for what was typed. */
  readonly origin: string | null
  /** Only of a session: which conversation it is a day of. */
  readonly session: string | null
}

/** What one line of a conversation says. Fields that we do not know are kept as they are. */
export interface Turn {
  readonly session: string
  /** ISO 8601 in UTC; absent where nobody knows. */
  readonly time?: string
  readonly speaker: string
  readonly text: string
  readonly id?: string
  readonly [extra: string]: unknown
}

/** A note without its text. */
export interface NoteSummary extends Omit<NoteDocument, 'text'> {
  readonly bytes: number
  /** Of everything that is kept of it: same stamp, same note. */
  readonly stamp: string
}

/** What a hit from the notes says beside its text. */
export interface NoteFacts {
  readonly form: NoteForm
  readonly session?: string
  /** Its number within the day, from 1. */
  readonly turn?: number
  /** What the conversation itself calls the turn; of a remembered note the id that `forget` takes. */
  readonly id?: string
  readonly speaker?: string
  /** ISO 8601; null where nobody knows. */
  readonly time: string | null
  readonly tags: readonly string[]
  readonly origin?: string
}

/** The turn before or after a hit. */
export interface NeighbourTurn {
  readonly turn: number
  readonly speaker: string
  readonly time: string | null
  readonly text: string
}

/** Which notes are meant. Absent fields do not narrow. */
export interface NoteFilter {
  /** Every one of these. */
  readonly tags?: readonly string[]
  readonly session?: string
  readonly form?: NoteForm
}

/** One open transaction. Every call sees what the calls before it did. */
export interface NotebookPage {
  get(name: string): NoteDocument | null
  /** Adds the note, or replaces the one of its name. */
  put(note: NoteDocument): void
  /** False where there was none. */
  remove(name: string): boolean
}

/** Keeps notes. Any number of processes may have the same notebook open. */
export interface Notebook {
  /** Whether there is one; asking makes none. */
  isThere(): boolean
  /** One transaction. What it did is on the disk when this resolves, and all undone when it rejects. Makes a notebook where there is none. */
  write<Result>(work: (page: NotebookPage) => Result): Promise<Result>
  get(name: string): Promise<NoteDocument | null>
  /** Sorted by name. Empty where there is no notebook. */
  list(filter?: NoteFilter): Promise<readonly NoteSummary[]>
  /** By the name of each note, sorted, or of these: what changes with it. */
  stamps(names?: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Everyone who speaks in a session. */
  speakers(): Promise<readonly string[]>
  /** Another one whenever anything changed; empty where there is no notebook. */
  stamp(): Promise<string>
  /** What is wrong, in sentences; `deep` reads every note. */
  check(deep: boolean): Promise<readonly string[]>
  /** Every note that can still be read, whatever else is damaged, and the names of those that cannot. */
  salvage(): Promise<{ readonly notes: readonly NoteDocument[]; readonly lost: readonly string[] }>
  close(): void
}
