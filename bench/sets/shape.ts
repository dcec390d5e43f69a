/** The common shape of every evaluation set: the experiments in `bench/` know nothing else about the data. */

/** Where a result is; hits of the engine fit as they are. */
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
}

export interface Corpus {
  readonly name: string
  /** What the corpus was drawn from: the unit of splits and of the bootstrap. Several corpora may share one. */
  readonly repository: string
  readonly language: string
  readonly queries: readonly BenchQuery[]
  /** Writes the files below `scratch` unless they are there already; answers the directory to index. */
  prepare(scratch: string): Promise<string>
  /** The repository behind it, with its history. */
  gitDirectory?(scratch: string): Promise<string>
  /** Whether a result, its path relative to the prepared directory, is this target. */
  matches(result: Place, target: Target): boolean
}

/** Something the data names and the set cannot offer, with the reason. Counted, never dropped in silence. */
export interface LeftOut {
  readonly id: string
  readonly reason: string
}

export interface BenchSet {
  readonly name: string
  /** SHA-256 over the data files that were read. */
  readonly hash: string
  readonly corpora: readonly Corpus[]
  readonly leftOut: readonly LeftOut[]
}
