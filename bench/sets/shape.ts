/** The sets of the repository's own experiments: labelled corpora that can write themselves to disk. */

import type { LabelledCorpus, LeftOut } from '#dist/measuring/sets/shape.js'

export interface Corpus extends Omit<LabelledCorpus, 'material'> {
  /** Writes the files below `scratch` unless they are there already; answers the directory to index. */
  prepare(scratch: string): Promise<string>
  /** The repository behind it, with its history. */
  gitDirectory?(scratch: string): Promise<string>
}

export interface BenchSet {
  readonly name: string
  /** SHA-256 over the data files that were read. */
  readonly hash: string
  readonly corpora: readonly Corpus[]
  readonly leftOut: readonly LeftOut[]
}
