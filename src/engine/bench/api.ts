/** What the front door offers of measuring. */

import type { ExpansionStrategy, Profile } from '../../core/settings.js'
import type { BenchReport } from '../../measuring/report/report.js'

export interface BenchRequest {
  /** Labelled sets: folders, files of LongMemEval and lists of questions. */
  readonly paths: readonly string[]
  /** Where the report is written; made when it is not there. */
  readonly out: string
  /** Where indexes are kept for the next run; without it they lie below `out` and are deleted. Never the user's own. */
  readonly home?: string
  /** Ask so many questions of each set, the same ones each time. */
  readonly limit?: number
  /** Hits for each question. Default: 100, of code 10, of commits 50. */
  readonly depth?: number
  /** Text and quick vectors only: nothing is downloaded. */
  readonly fast?: boolean
  /** Which judgements of a BEIR folder; of issues `files` or `commits`, both unless told. */
  readonly split?: string
  /** What kind of files the documents of a BEIR folder are. */
  readonly extension?: string
  /** Clones of the repositories that sets name. */
  readonly mirrors?: string
  /** What a list of questions is about: `DIRECTORY`, `owner/name` or an address, and behind an `@` the commit. */
  readonly repository?: string
  /** Globs of its files that must not be found. */
  readonly without?: readonly string[]
  /** Read clones even if another user owns them. */
  readonly trust?: boolean
  /** Recorded rewrites: a server on this machine answers with them. */
  readonly replay?: string
  readonly profiles?: readonly Profile[]
  /** A row with hops from the first results. */
  readonly multiHop?: boolean
  readonly multiQuery?: boolean
  /** Each strategy alone, the set of the settings, and all together. */
  readonly ablate?: boolean
  readonly strategies?: readonly (readonly ExpansionStrategy[])[]
  readonly variations?: readonly number[]
  readonly expanders?: readonly string[]
  /** Merged over the settings of every row, under dotted keys. */
  readonly overrides?: Readonly<Record<string, unknown>>
  /** Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** What stands in the report as the way to measure it again. */
  readonly command?: string
  readonly version?: string
  readonly onProgress?: (progress: BenchProgress) => void
  readonly signal?: AbortSignal
}

export interface BenchProgress {
  readonly set: string
  /** A repository or conversation of it, and what is done with it. */
  readonly what: string
  readonly done: number
  readonly total: number
  /** Of the whole set: questions that every row was asked, and all that are to be asked. */
  readonly asked: number
  readonly questions: number
}

export interface BenchResult {
  readonly report: BenchReport
  /** As a terminal shows it. */
  readonly text: string
  readonly files: readonly string[]
}

export type RunBench = (request: BenchRequest) => Promise<BenchResult>
export type { BenchReport }
