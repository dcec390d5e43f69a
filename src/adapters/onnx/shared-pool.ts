/** One set of workers for each model file: an embedder and a late-interaction reranker of the same model load it once. */

import { availableParallelism } from 'node:os'
import { type InferencePool, inferencePool } from './inference-pool.js'
import type { Expectation } from './protocol.js'
import type { Isolation } from './worker-channel.js'

export interface InferenceOptions {
  /** Threads of each worker; 0 or absent takes as many as pay. */
  readonly threads?: number
  /** How many workers may run. */
  readonly workers?: number
  /** `process` for long runs: it survives crashes of native code. `thread` for a single question: it starts sooner. */
  readonly isolation?: Isolation
}

interface Shared {
  readonly pool: InferencePool
  users: number
}

const open = new Map<string, Shared>()

/** As `inferencePool`; the workers end when the last user closes. */
export function sharedPool(model: string, expect: Expectation, options: InferenceOptions): InferencePool {
  const threads = options.threads || Math.min(2, availableParallelism())
  const { workers = 1, isolation = 'process' } = options
  const key = JSON.stringify([model, expect, threads, workers, isolation])
  const shared = open.get(key) ?? {
    pool: inferencePool({ setup: { model, threads, expect }, workers, isolation }),
    users: 0,
  }
  open.set(key, shared)
  shared.users++

  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    if (--shared.users > 0) return
    open.delete(key)
    await shared.pool.close()
  }
  return { run: shared.pool.run, warm: shared.pool.warm, close }
}
