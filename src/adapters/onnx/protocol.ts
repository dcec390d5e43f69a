/** What the process that uses a model and the worker that runs it say to each other. */

import type { ErrorCode } from '../../core/errors.js'

/** What a model must give out for a job to make sense of it. */
export type Expectation =
  | { readonly output: 'hidden'; readonly dimensions: number }
  | { readonly output: 'logits' }

export interface WorkerSetup {
  readonly model: string
  readonly threads: number
  readonly expect: Expectation
}

export type Job =
  | { readonly kind: 'vector'; readonly ids: Int32Array; readonly pooling: 'mean' | 'cls' }
  | { readonly kind: 'maxSim'; readonly question: KeptTokens; readonly texts: readonly KeptTokens[] }
  | { readonly kind: 'logit'; readonly ids: Int32Array; readonly types: Int32Array }

/** Token ids, and which of them count. */
export interface KeptTokens {
  readonly ids: Int32Array
  readonly keep: Uint8Array
}

/** `vector`: a unit vector or null. `maxSim`: a score for each text. `logit`: one number. */
export type JobResult = Float32Array | Float64Array | null

/** `end`: no more jobs; the worker ends when it is through with the one at hand. */
export type ToWorker = { readonly id: number; readonly job: Job } | 'end'

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly message: string; readonly hint: string }
  | { readonly type: 'done'; readonly id: number; readonly result: JobResult }
  | { readonly type: 'error'; readonly id: number; readonly message: string }
