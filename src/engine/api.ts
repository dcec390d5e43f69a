/** What the front door offers. The CLI, the MCP server and the web page use this and nothing below it. */

import type { HistoryScope } from '../adapters/git/history-source.js'
import type { HookReport } from '../adapters/hooks/index.js'
import type { PinnedModel } from '../adapters/models/local-model.js'
import type { Answer, IndexReport, IndexState, Progress, Warning } from '../core/answers.js'
import type { QuarryError } from '../core/errors.js'
import type { Explanation } from '../core/explanation.js'
import type { ChangedLines, ChunkFilter } from '../core/questions.js'
import type { Settings } from '../core/settings.js'
import type { Skipped, SkipReason } from '../core/types.js'

import type { Notes, NotesStatus, Recall } from './notes/api.js'

export interface OpenOptions {
  /** The directory to search. Default: the working directory. */
  readonly root?: string
  /** Merged over the settings files and the environment, under dotted keys: `{ 'diversity.maxPerFile': 1 }`. */
  readonly overrides?: Readonly<Record<string, unknown>>
  /** Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Read the repository even if another user owns it, or `.git` points elsewhere. Remembered until `purge`, for the places as they are. */
  readonly trust?: boolean
  /** For programs that stay: notices changes of the tree instead of looking for them. */
  readonly watch?: boolean
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number
}

export interface WatchRequest {
  readonly signal: AbortSignal
  /** After each run, also one that found nothing to do. `isWatching` is false where the system cannot, or no longer. */
  readonly onRefresh: (refresh: {
    readonly report: IndexReport
    readonly isFirst: boolean
    readonly isWatching: boolean
  }) => Promise<void>
  /** Told of what a later run may find mended, such as another indexer at work. */
  readonly onTrouble?: (trouble: QuarryError) => void
}

export interface Quarry {
  readonly root: string
  readonly settings: Settings
  /** Where each setting came from, by dotted key. */
  readonly origins: Readonly<Record<string, string>>
  /** What was odd about the settings. */
  readonly warnings: readonly Warning[]
  /** Brings the index up to date. `first` stops when text, symbols and quick vectors answer; `full` waits for all vectors. */
  index(options?: IndexRequest): Promise<IndexReport>
  /** Keeps the index up to date until the signal comes. */
  watch(request: WatchRequest): Promise<void>
  /** Finds code. Indexes first (first stage) what was never indexed, and small changes since. */
  search(question: string, options?: SearchRequest): Promise<Answer>
  /** Finds commits: how was it done before. Takes in the history first, or the few commits that came since. */
  find(question: string, options?: SearchRequest): Promise<Answer>
  /** Why lines look the way they do: the commits that wrote them, exactly, and related ones. Needs no index, and makes none. */
  explain(place: LinesPlace, options?: ExplainRequest): Promise<Explanation>
  /** Finds notes and turns of conversations. Takes in first what was noted since. */
  readonly recall: Recall
  readonly notes: Notes
  /** Code, history and notes in one ranking; `filter.kinds` narrows it. */
  ask(question: string, options?: SearchRequest): Promise<Answer>
  /** Finds chunks like the one at a place. */
  similar(place: Place, options?: SearchRequest): Promise<Answer>
  status(): Promise<Status>
  /** The part of it that tells of history, without a look at the work tree: quick. null where there is no git repository. */
  historyStatus(): Promise<HistoryStatus | null>
  /** Whether every vector is made that the settings ask for, of code and history. Counted by what the index holds. */
  isComplete(): Promise<boolean>
  /** The embedding models that these indexes and notes need and that are not here, by name. */
  missingModels(): Promise<readonly string[]>
  /** Looks at everything that can be wrong. `deep` reads the whole index. */
  doctor(options?: { readonly deep?: boolean }): Promise<readonly Finding[]>
  readonly models: Models
  readonly hooks: Hooks
  /** Deletes the index of this directory. */
  purge(): Promise<void>
  /** Deletes the rewrites of questions that were kept, of every directory, and says how many. */
  purgeExpansions(): Promise<number>
  close(): Promise<void>
}

export interface IndexRequest {
  readonly stage?: 'first' | 'full'
  /** Start from nothing. Vectors of unchanged text are made again too. */
  readonly rebuild?: boolean
  /** False leaves the history as it is; a scope says which commits to take in, from now on. */
  readonly history?: boolean | HistoryScope
  /** Nothing but the notes. */
  readonly only?: 'notes'
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

export interface SearchRequest {
  readonly limit?: number
  readonly filter?: ChunkFilter
  /** Of history: look at nothing but the lines that a change added, or removed. */
  readonly lines?: ChangedLines
  /** Of history: the names of each hit by a parse of that version of its file; they cost about as much as the rest of the answer. */
  readonly exactSymbols?: boolean
  /** Hand out the ledger of each hit. */
  readonly explain?: boolean
  /** False leaves the reranker out, whatever the settings say. */
  readonly rerank?: boolean
  /** In place of the settings' own: hits of one file, 0 for any number. */
  readonly maxPerFile?: number
  /** Further wordings of the question, at most 10: they are searched beside it, and no expander is asked. */
  readonly queries?: readonly string[]
  /** `never` answers from the index as it is; `auto`, the default, first takes in what changed if that is quick; it looks once a second. */
  readonly refresh?: 'auto' | 'never'
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** A line of a file, or a chunk by the id that a hit carries. */
export type Place = { readonly path: string; readonly line: number } | { readonly id: string }

/** Lines of a file, counted from 1, both included; without them the whole file. Without an end, the one line. */
export interface LinesPlace {
  /** Below the root, or absolute. */
  readonly path: string
  readonly startLine?: number
  readonly endLine?: number
}

export interface ExplainRequest {
  /** At most so many exact commits, and as many related ones: 1 to 20. */
  readonly limit?: number
  /** A revision whose version is meant instead of the work tree's. */
  readonly at?: string
  readonly ignoreWhitespace?: boolean
  /** False leaves the related commits out. */
  readonly related?: boolean
  readonly signal?: AbortSignal
}

/** What the index holds of the git history. */
export interface HistoryStatus {
  /** The commit that is checked out, and its branch. */
  readonly head: string | null
  readonly branch: string | null
  /** What is not there to be read, in sentences: a shallow clone, objects that are missing. */
  readonly limits: readonly string[]
  /** null while there is none. */
  readonly index: IndexState | null
  /** Commits that git could not read, which every run tries again, and files of commits as `commit:path`. */
  readonly skipped: readonly Skipped[]
  /** Why the repository or its index cannot be read, with the next command; null when they can. */
  readonly problem: Warning | null
  /** Commits that are not in the index yet or by old ignore rules, and those in it that no branch reaches any more. */
  readonly missing: number | null
  readonly gone: number | null
}

export interface ModelShare {
  readonly name: string
  readonly present: boolean
  /** False of those that the index of the code is not worth. */
  readonly needed: boolean
  readonly vectors: number
}

export interface Status {
  readonly root: string
  readonly indexDirectory: string
  /** null while there is no index, or none that can be read. */
  readonly index: IndexState | null
  /** Why the index of the code cannot be read, with the next command; null when it can. */
  readonly problem: Warning | null
  /** The models of the settings: whether they are here, and the share of chunks (0–1) that have their vectors. */
  readonly models: readonly ModelShare[]
  /** Files that differ from the index: new or changed, and gone. */
  readonly changed: number
  readonly gone: number
  readonly skipped: readonly Skipped[]
  readonly skippedByReason: Readonly<Partial<Record<SkipReason, number>>>
  /** Secrets in indexed files, under `path:line` with their kind: they are taken out of whatever is shown. Counted by the last index run. */
  readonly redacted: readonly Skipped[]
  /** null where there is no git repository. */
  readonly history: HistoryStatus | null
  /** null where nothing was ever noted. */
  readonly notes: NotesStatus | null
  readonly warnings: readonly Warning[]
}

/** One line of `quarry doctor`. */
export interface Finding {
  readonly subject: string
  readonly state: 'ok' | 'warning' | 'error'
  readonly message: string
  readonly hint?: string
}

export interface ModelState {
  readonly name: string
  readonly role: 'embedder' | 'reranker'
  readonly bytes: number
  /** In the cache or at a given path, with the right SHA-256. */
  readonly present: boolean
  /** What the settings choose. */
  readonly chosen: boolean
  readonly directory: string | null
}

export type { PinnedModel }

export interface Models {
  list(): Promise<readonly ModelState[]>
  pull(
    name: string,
    options?: { onProgress?: (done: number, total: number) => void; signal?: AbortSignal },
  ): Promise<ModelState>
  /** Reads every byte; throws `MODEL_DAMAGED` when one is wrong. */
  verify(name: string): Promise<ModelState>
  /** Hashes the files of a model in a directory of yours: what the setting `models.paths` wants to hold for it. */
  pin(name: string, directory: string): Promise<PinnedModel>
  remove(name: string): Promise<void>
}

export type { HistoryScope } from '../adapters/git/history-source.js'
export type { HookChange, HookReport } from '../adapters/hooks/index.js'

export interface HookRequest {
  /** The program file that the hooks start, absolute. */
  readonly entry: string
  /** Decide and report, but write nothing. */
  readonly dryRun?: boolean
}

/** Git hooks that refresh the index behind git. */
export interface Hooks {
  install(request: HookRequest): Promise<HookReport>
  /** Takes out what `install` put in; every other byte stays. */
  remove(request: HookRequest): Promise<HookReport>
  /** What the hooks start: one run of `index` for many commits that come together. null when another one waits already. */
  refresh(signal?: AbortSignal): Promise<IndexReport | null>
}
