/**
 * Asks about the files of the walk. That is half the time of a walk, so in a large tree a second thread takes a share: every
 * batch is sent to it, and whoever claims a batch first does it. Should the thread die, nothing is lost but time.
 */

import { availableParallelism, loadavg } from 'node:os'
import { SHARE_ENV, Worker } from 'node:worker_threads'
import { askStatuses, type Batch, type BatchResult, type BatchStatuses, type HelperData } from './batch.js'
import type { Breather } from './breather.js'
import { fileStatus } from './file-status.js'
import type { Refusal } from './read-bytes.js'
import type { TreeMemory } from './tree-memory.js'

export interface Statuses {
  add(path: string): void
  /** Resolves when every file has been asked about: all batches, in the order of the walk. */
  finish(): Promise<readonly (Batch & BatchStatuses)[]>
  close(): void
}

const FILES_IN_A_BATCH = 256
/** Room for four million files; those beyond are done without help. */
const MOST_BATCHES = 16_384
/** From here on a second thread saves more than the 30 ms it needs to start: a third of the time at 35,000 files. */
const LARGE_TREE = 5_000

export interface StatusOptions {
  /** What stands before each path. */
  readonly prefix: string
  readonly maxFileBytes: bigint
  readonly breathe: Breather
  readonly memory?: Pick<TreeMemory, 'stamp' | 'keepStamp' | 'size'> | undefined
  /** From so many files on there are two threads. */
  readonly shareFrom?: number
}

export const statuses = (options: StatusOptions): Statuses => {
  const { prefix, maxFileBytes, breathe, memory } = options
  const { shareFrom = isWorthSharing(memory) ? LARGE_TREE : Number.POSITIVE_INFINITY } = options
  const statusOf = (path: string): string | Refusal => {
    const kept = memory?.stamp(path)
    if (kept !== undefined) return kept
    const status = fileStatus(prefix + path, maxFileBytes)
    if (typeof status === 'string') memory?.keepStamp(path, status)
    return status
  }

  const batches: Batch[] = []
  const done: (BatchStatuses | undefined)[] = []
  let paths: string[] = []
  let helper: Helper | undefined
  const endBatch = (): void => {
    const batch = { number: batches.length, paths }
    paths = []
    batches.push(batch)
    done.push(undefined)
    if (helper) helper.send(batch)
    else if (batches.length * FILES_IN_A_BATCH >= shareFrom) {
      helper = startHelper(prefix, maxFileBytes, ({ number, ...result }) => {
        done[number] ??= result
      })
      for (const waiting of batches) helper.send(waiting)
    }
  }

  const finish = async (): Promise<readonly (Batch & BatchStatuses)[]> => {
    endBatch()
    for (;;) {
      let isDone = true
      // From the end: the helper comes from the other side.
      for (const { number, paths } of batches.toReversed()) {
        if (breathe.isDue()) await breathe.now()
        if (done[number] === undefined && (helper?.leavesToUs(number) ?? true))
          done[number] = askStatuses(paths, statusOf)
        isDone &&= done[number] !== undefined
      }
      if (isDone) return batches.map((batch, number) => ({ ...batch, ...done[number]! }))
      await breathe.longer(1)
    }
  }

  return {
    add: path => {
      if (paths.push(path) === FILES_IN_A_BATCH) endBatch()
    },
    finish,
    close: () => helper?.close(),
  }
}

interface Helper {
  send(batch: Batch): void
  /** Claims the batch for this thread, unless the helper has it and lives. */
  leavesToUs(number: number): boolean
  close(): void
}

const startHelper = (
  prefix: string,
  maxFileBytes: bigint,
  deliver: (result: BatchResult) => void,
): Helper => {
  const claims = new Int32Array(new SharedArrayBuffer(4 * MOST_BATCHES))
  const workerData: HelperData = { prefix, maxFileBytes, claims }
  const worker = new Worker(new URL('./status-helper.js', import.meta.url), {
    workerData,
    env: SHARE_ENV,
    trackUnmanagedFds: false,
  })
  let isAlive = true
  worker.unref()
  worker.on('message', deliver)
  worker.on('error', () => {})
  worker.on('exit', () => {
    isAlive = false
  })
  return {
    send: batch => {
      if (isAlive && batch.number < MOST_BATCHES) worker.postMessage(batch)
    },
    leavesToUs: number =>
      !isAlive || number >= MOST_BATCHES || Atomics.compareExchange(claims, number, 0, 1) === 0,
    close: () => {
      void worker.terminate()
    },
  }
}

/** On a busy machine a second thread only takes turns with the first. The load of our own last run must not count as busy. */
const isWorthSharing = (memory: StatusOptions['memory']): boolean => {
  if (memory && memory.size() > 0) return false
  const cores = availableParallelism()
  return cores > 1 && loadavg()[0]! < 2 * cores
}
