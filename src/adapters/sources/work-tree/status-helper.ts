/** The other thread of `statuses.ts`: answers batches of paths with their statuses, in the order they come. */

import { parentPort, workerData } from 'node:worker_threads'
import { fileStatus } from './file-status.js'
import type { Batch, BatchResult, HelperData } from './statuses.js'

const { prefix, maxFileBytes, claims } = workerData as HelperData

parentPort!.on('message', ({ number, paths }: Batch) => {
  if (Atomics.compareExchange(claims, number, 0, 1) !== 0) return
  const statuses = paths.map(path => fileStatus(prefix + path, maxFileBytes))
  parentPort!.postMessage({ number, statuses } satisfies BatchResult)
})
