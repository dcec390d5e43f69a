/** How each embedding model wants to be used: facts of the model, not choices. */

export interface EmbedderSpec {
  readonly dimensions: number
  /** How token vectors become one: their mean, or the vector of the first token. */
  readonly pooling: 'mean' | 'cls'
  /** What a question begins with; passages go in as they are. */
  readonly questionPrefix: string
  /** Positions the model was trained with, special tokens included. */
  readonly mostTokens: number
}

export const embedderSpecs: Readonly<Record<string, EmbedderSpec>> = {
  'all-MiniLM-L6-v2': { dimensions: 384, pooling: 'mean', questionPrefix: '', mostTokens: 512 },
  'bge-small-en-v1.5': {
    dimensions: 384,
    pooling: 'cls',
    questionPrefix: 'Represent this sentence for searching relevant passages: ',
    mostTokens: 512,
  },
}
