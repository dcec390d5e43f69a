/**
 * Compares the files of the walk with what is known of them. Asking for their status is half the time of a walk, so in a
 * large tree a second thread takes a share: every batch is sent to it, and whoever claims a batch first does it. Should the
 * thread die, nothing is lost but time.
 */

import { SHARE_ENV, Worker } from 'node:worker_threads'
import type { Breather } from './breather.js'
import { type Batch, type BatchResult, compare, type Difference, type HelperData } from './compare.js'
import { fileStatus } from './file-status.js'
import type { Refusal } from './read-bytes.js'

export interface Statuses {
  /** `stamp` is the one the file is expected to have, '' if none is. */
  add(path: string, stamp: string): void
  /** Resolves when every file has been compared. */
  finish(): Promise<void>
  close(): void
}

/** Called for each file that is not as expected, with its stamp or why it has none. */
type Differs = (path: string, status: string | Refusal) => void

const FILES_IN_A_BATCH = 256
/** Room for four million files; those beyond are done without help. */
const MOST_BATCHES = 16_384

export const statuses = (prefix: string, maxFileBytes: bigint, differs: Differs): Statuses => ({
  add: (path, stamp) => {
    const status = fileStatus(prefix + path, maxFileBytes)
    if (status !== stamp) differs(path, status)
  },
  finish: async () => {},
  close: () => {},
})

export const sharedStatuses = (
  prefix: string,
  maxFileBytes: bigint,
  differs: Differs,
  breathe: Breather,
): Statuses => {
  const claims = new Int32Array(new SharedArrayBuffer(4 * MOST_BATCHES))
  const workerData: HelperData = { prefix, maxFileBytes, claims }
  const helper = new Worker(new URL('./status-helper.js', import.meta.url), {
    workerData,
    env: SHARE_ENV,
    trackUnmanagedFds: false,
  })
  const waiting = new Map<number, Batch>()
  let isAlive = true
  let number = 0
  let paths: string[] = []
  let stamps: string[] = []
  helper.unref()
  helper.on('message', (result: BatchResult) => deliver(result.number, result.differences))
  helper.on('error', () => {})
  helper.on('exit', () => {
    isAlive = false
  })

  const deliver = (number: number, differences: readonly Difference[]): void => {
    const batch = waiting.get(number)
    waiting.delete(number)
    if (batch) for (const [position, status] of differences) differs(batch.paths[position]!, status)
  }
  const send = (): void => {
    const batch: Batch = { number, paths, stamps }
    waiting.set(number, batch)
    if (isAlive && number < MOST_BATCHES) helper.postMessage(batch)
    number++
    paths = []
    stamps = []
  }
  const isMine = (number: number): boolean =>
    !isAlive || number >= MOST_BATCHES || Atomics.compareExchange(claims, number, 0, 1) === 0

  const finish = async (): Promise<void> => {
    send()
    while (waiting.size > 0) {
      // From the end: the helper comes from the other side.
      for (const [number, batch] of [...waiting].reverse()) {
        if (breathe.isDue()) await breathe.now()
        if (waiting.has(number) && isMine(number)) deliver(number, compare(prefix, maxFileBytes, batch))
      }
      if (waiting.size > 0) await breathe.longer(1)
    }
  }

  return {
    add: (path, stamp) => {
      stamps.push(stamp)
      if (paths.push(path) === FILES_IN_A_BATCH) send()
    },
    finish,
    close: () => {
      void helper.terminate()
    },
  }
}
