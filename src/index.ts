/** The front door: everything a program needs to use Quarry. */

export type {
  Answer,
  CommitHit,
  Expansion,
  Hit,
  IndexReport,
  IndexState,
  Progress,
  QuestionVariation,
  RelatedSymbol,
  Warning,
} from './core/answers.js'
export { type ErrorCode, QuarryError } from './core/errors.js'
export type {
  ExplainingCommit,
  Explanation,
  LineSpan,
  RelatedCommit,
  RelatedReason,
} from './core/explanation.js'
export type {
  NeighbourTurn,
  NoteDocument,
  NoteFacts,
  NoteFilter,
  NoteForm,
  NoteSummary,
  Turn,
} from './core/notes.js'
export type { ChangedLines, ChunkFilter, LedgerLine } from './core/questions.js'
export type { ExpanderKind, ExpansionStrategy, Profile, Settings } from './core/settings.js'
export type { ChunkKind, Skipped, SkipReason } from './core/types.js'
export type {
  ExplainRequest,
  Finding,
  HistoryScope,
  HistoryStatus,
  HookChange,
  HookReport,
  HookRequest,
  Hooks,
  IndexRequest,
  LinesPlace,
  ModelShare,
  ModelState,
  Models,
  OpenOptions,
  PinnedModel,
  Place,
  Quarry,
  SearchRequest,
  Status,
  WatchRequest,
} from './engine/api.js'
export type { BenchProgress, BenchReport, BenchRequest, BenchResult, RunBench } from './engine/bench/api.js'
export { runBench } from './engine/bench/door.js'
export type {
  AddNotesRequest,
  Forgotten,
  ImportRequest,
  Notes,
  NotesExport,
  NotesReport,
  NotesStatus,
  Recall,
  RecallRequest,
  Remembered,
  RememberRequest,
} from './engine/notes/api.js'
export { openQuarry } from './engine/open.js'
