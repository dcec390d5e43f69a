/** Where the verified files of a model lie: what the model store hands out and embedders and rerankers take. */

export interface ModelFiles {
  readonly name: string
  /** Which weights these are: `int8`, or the start of the hash where the user pinned files of their own. */
  readonly revision: string
  /** Absolute path of the ONNX file. */
  readonly model: string
  /** Absolute path of `tokenizer.json`. */
  readonly tokenizer: string
}
