/** The other thread of `statuses.ts`: asks about batches of files, in the order they come. */

import { parentPort, workerData } from 'node:worker_threads'
import { askStatuses, type Batch, type BatchResult, type HelperData } from './batch.js'
import { fileStatus } from './file-status.js'

const { prefix, maxFileBytes, claims } = workerData as HelperData

parentPort!.on('message', ({ number, paths }: Batch) => {
  if (Atomics.compareExchange(claims, number, 0, 1) !== 0) return
  parentPort!.postMessage({
    number,
    ...askStatuses(paths, path => fileStatus(prefix + path, maxFileBytes)),
  } satisfies BatchResult)
})
