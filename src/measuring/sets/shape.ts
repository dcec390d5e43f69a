/** The common shape of every labelled set: whoever measures knows nothing else about the data. */

import type { Turn } from '../../core/notes.js'

/** Where a result is; hits of the engine fit as they are. Of a conversation the path is the id of the turn. */
export interface Place {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
}

/** What a query should find. Without lines the whole file counts. */
export interface Target {
  readonly path: string
  readonly startLine?: number
  readonly endLine?: number
  readonly grade: number
}

export interface BenchQuery {
  readonly id: string
  readonly text: string
  readonly category: string
  readonly targets: readonly Target[]
  /** Of conversations: the sessions that hold the answer. */
  readonly sessions?: readonly string[]
  /** Of history: the commits that are the answer; then the targets are the files that they change. */
  readonly commits?: readonly string[]
  /** When it was asked, in milliseconds since 1970, where the data says so. */
  readonly now?: number
}

/** What has to be taken in before a question can be asked. */
export type Material =
  | {
      readonly kind: 'documents'
      /** Same hash, same files. */
      readonly hash: string
      readonly files: readonly { readonly path: string; readonly text: string }[]
    }
  | {
      readonly kind: 'repository'
      /** An address, or a directory of this machine. */
      readonly url: string
      readonly revision: string
      /** The only one that is indexed; '' is the whole tree. */
      readonly directory: string
      /** Globs of files that must not be found, since they hold the questions themselves. */
      readonly without?: readonly string[]
    }
  | {
      /** Every commit that one commit reaches. */
      readonly kind: 'history'
      readonly url: string
      readonly revision: string
    }
  | { readonly kind: 'conversation'; readonly turns: readonly Turn[] }

export interface LabelledCorpus {
  readonly name: string
  /** What the corpus was drawn from: the unit of splits and of the bootstrap. Several corpora may share one. */
  readonly repository: string
  readonly language: string
  readonly queries: readonly BenchQuery[]
  readonly material: Material
  /** Those with the same one come one after the other and share a directory and an index: only what differs is done again. */
  readonly place?: string
  /** Whether a result, its path relative to the indexed directory, is this target. */
  matches(result: Place, target: Target): boolean
}

/** Something the data names and the set cannot offer, with the reason. Counted, never dropped in silence. */
export interface LeftOut {
  readonly id: string
  readonly reason: string
}

/** What is ranked, and so what is scored. */
export type Layout =
  | 'documents'
  | 'code'
  | 'conversations'
  /** Issue → files, and issue → commits. */
  | 'files'
  | 'commits'
  /** Question → files, in points. */
  | 'points'
  /** Questions without labels: what can be said is how far one row is from another. */
  | 'unlabelled'

export interface LabelledSet {
  readonly name: string
  readonly layout: Layout
  /** SHA-256 over the data files that were read. */
  readonly hash: string
  /** Every question that has an answer, in the order of the data. */
  readonly questions: readonly Pick<BenchQuery, 'id' | 'text'>[]
  /** One after the other, each with the chosen questions only: a set may be larger than memory. */
  corpora(chosen: ReadonlySet<string>): AsyncIterable<LabelledCorpus>
  readonly leftOut: readonly LeftOut[]
  /** What the reader of a result should know of how the data was read. */
  readonly remarks: readonly string[]
}

/** For sets that are small enough to be held whole. */
export async function* withChosen(
  corpora: readonly LabelledCorpus[],
  chosen: ReadonlySet<string>,
): AsyncGenerator<LabelledCorpus> {
  for (const corpus of corpora) {
    const queries = corpus.queries.filter(({ id }) => chosen.has(id))
    if (queries.length > 0) yield { ...corpus, queries }
  }
}
