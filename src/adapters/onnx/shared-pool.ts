/** One set of workers for each model file: an embedder and a late-interaction reranker of the same model load it once. */

import { availableParallelism } from 'node:os'
import { type InferencePool, inferencePool } from './inference-pool.js'
import type { Expectation } from './protocol.js'
import type { Isolation } from './worker-channel.js'

export interface InferenceOptions {
  /** Threads of each worker, and how many workers may run; 0 or absent takes what was measured best for the isolation. */
  readonly threads?: number
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
  const { isolation = 'process' } = options
  const { threads, workers } = shape(isolation, options)
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

/** Many texts: one thread each in several workers needs 13 ms of processor time a text (MiniLM, 128 tokens), two threads in
 * one worker 19 ms, because they wait for each other. One question: words are looked up meanwhile, and two models may read it, so
 * that further threads stand in the way (25 ms for both on two cores, with one thread each 19). A worker takes 130 MB, so there
 * are never many. */
function shape(isolation: Isolation, { threads, workers }: InferenceOptions) {
  if (threads) return { threads, workers: workers || 1 }
  return {
    threads: 1,
    workers: workers || (isolation === 'thread' ? 1 : Math.min(4, availableParallelism())),
  }
}
