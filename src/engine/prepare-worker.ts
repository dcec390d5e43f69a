/** The other side of `prepare-elsewhere.ts`. */

import { parentPort } from 'node:worker_threads'
import { diffChunker } from '../adapters/chunkers/diff/index.js'
import { staticEmbedder } from '../adapters/embedders/static.js'
import { embedDocument } from '../indexing/embed.js'
import { prepareWith } from '../indexing/prepare.js'
import type { PrepareJob, PrepareResult } from './prepare-elsewhere.js'

const port = parentPort!
const prepareDocument = prepareWith(diffChunker())
const embedder = staticEmbedder()

const work = async ({ number, document }: PrepareJob): Promise<PrepareResult> => {
  const { chunks } = await prepareDocument(document)
  try {
    return { number, prepared: { chunks, vectors: await embedDocument({ document, chunks }, embedder) } }
  } catch {
    // Without vectors the other side tries itself, and says what is wrong.
    return { number, prepared: { chunks } }
  }
}

port.on('message', (job: PrepareJob) => {
  work(job)
    .catch((error): PrepareResult => ({ number: job.number, failure: String(error?.message ?? error) }))
    .then(result => port.postMessage(result))
})
