/**
 * Collects the statuses of files. That is half the time of a walk, so in a large tree a second thread takes a share: every
 * batch is sent to it, and whoever claims a batch first does it. Should the thread die, nothing is lost but time.
 */

import { SHARE_ENV, Worker } from 'node:worker_threads'
import type { Breather } from './breather.js'
import { fileStatus } from './file-status.js'
import type { Refusal } from './read-bytes.js'

export interface Batch {
  readonly number: number
  readonly paths: readonly string[]
}

export interface BatchResult {
  readonly number: number
  readonly statuses: readonly (string | Refusal)[]
}

export interface HelperData {
  /** What stands before each path. */
  readonly prefix: string
  readonly maxFileBytes: bigint
  /** By batch: 0 is free, 1 is taken. */
  readonly claims: Int32Array
}

export interface Statuses {
  add(path: string): void
  /** Resolves when every path has been answered. */
  finish(): Promise<void>
  close(): void
}

type Receive = (path: string, status: string | Refusal) => void

const FILES_IN_A_BATCH = 256
/** Room for four million files; those beyond are done without help. */
const MOST_BATCHES = 16_384

export const statuses = (prefix: string, maxFileBytes: bigint, receive: Receive): Statuses => ({
  add: path => receive(path, fileStatus(prefix + path, maxFileBytes)),
  finish: async () => {},
  close: () => {},
})

export const sharedStatuses = (
  prefix: string,
  maxFileBytes: bigint,
  receive: Receive,
  breathe: Breather,
): Statuses => {
  const claims = new Int32Array(new SharedArrayBuffer(4 * MOST_BATCHES))
  const waiting = new Map<number, readonly string[]>()
  const workerData: HelperData = { prefix, maxFileBytes, claims }
  const helper = new Worker(new URL('./status-helper.js', import.meta.url), {
    workerData,
    env: SHARE_ENV,
    trackUnmanagedFds: false,
  })
  let isAlive = true
  let number = 0
  let paths: string[] = []
  helper.unref()
  helper.on('message', ({ number, statuses }: BatchResult) => deliver(number, statuses))
  helper.on('error', () => {})
  helper.on('exit', () => {
    isAlive = false
  })

  const deliver = (number: number, statuses: BatchResult['statuses']): void => {
    const paths = waiting.get(number)
    waiting.delete(number)
    for (const [index, path] of paths?.entries() ?? []) receive(path, statuses[index]!)
  }
  const send = (): void => {
    waiting.set(number, paths)
    if (isAlive && number < MOST_BATCHES) helper.postMessage({ number, paths } satisfies Batch)
    number++
    paths = []
  }
  const isMine = (number: number): boolean =>
    !isAlive || number >= MOST_BATCHES || Atomics.compareExchange(claims, number, 0, 1) === 0

  const finish = async (): Promise<void> => {
    send()
    while (waiting.size > 0) {
      // From the end: the helper comes from the other side.
      for (const [number, paths] of [...waiting].reverse()) {
        if (breathe.isDue()) await breathe.now()
        if (waiting.has(number) && isMine(number))
          deliver(
            number,
            paths.map(path => fileStatus(prefix + path, maxFileBytes)),
          )
      }
      if (waiting.size > 0) await breathe.longer(1)
    }
  }

  return {
    add: path => {
      if (paths.push(path) === FILES_IN_A_BATCH) send()
    },
    finish,
    close: () => {
      void helper.terminate()
    },
  }
}
