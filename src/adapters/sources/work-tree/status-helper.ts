/** The other thread of `statuses.ts`: compares batches of files with their stamps, in the order they come. */

import { parentPort, workerData } from 'node:worker_threads'
import { type Batch, type BatchResult, compare, type HelperData } from './compare.js'

const { prefix, maxFileBytes, claims } = workerData as HelperData

parentPort!.on('message', (batch: Batch) => {
  if (Atomics.compareExchange(claims, batch.number, 0, 1) !== 0) return
  parentPort!.postMessage({
    number: batch.number,
    differences: compare(prefix, maxFileBytes, batch),
  } satisfies BatchResult)
})
