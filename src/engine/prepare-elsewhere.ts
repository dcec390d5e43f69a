/**
 * Commits are cut, tokenised and given their quick vectors in a thread of their own, while this one reads from git and writes
 * to the store: of two cores both are busy. A few commits are prepared here, since a thread takes longer to start.
 */

import { Worker } from 'node:worker_threads'
import { diffChunker } from '../adapters/chunkers/diff/index.js'
import { QuarryError } from '../core/errors.js'
import type { SourceDocument } from '../core/types.js'
import { type PrepareDocument, type Prepared, prepareWith } from '../indexing/prepare.js'

export interface Elsewhere {
  readonly prepareDocument: PrepareDocument
  close(): Promise<void>
}

/** What goes to the thread and what comes back, under the same number. */
export interface PrepareJob {
  readonly number: number
  readonly document: SourceDocument
}
export type PrepareResult =
  | { readonly number: number; readonly prepared: Omit<Prepared, 'document'> }
  | { readonly number: number; readonly failure: string }

const PREPARED_HERE = 100

export const prepareElsewhere = (): Elsewhere => {
  const here = prepareWith(diffChunker())
  const waiting = new Map<number, { document: SourceDocument; settle: (result: Prepared | Error) => void }>()
  let count = 0
  let worker: Worker | undefined

  const fail = (error: Error): void => {
    for (const { settle } of waiting.values()) settle(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./prepare-worker.js', import.meta.url))
    started.on('message', (result: PrepareResult) => {
      const job = waiting.get(result.number)
      waiting.delete(result.number)
      if ('failure' in result) job?.settle(new QuarryError('INTERNAL', result.failure))
      // The document itself never left: its text need not come back.
      else job?.settle({ ...result.prepared, document: withoutText(job.document) })
    })
    started.on('error', fail)
    started.on('exit', () => fail(new QuarryError('INTERNAL', 'The thread that prepares commits has ended')))
    return started
  }

  return {
    prepareDocument(document, signal) {
      if (count++ < PREPARED_HERE) return here(document, signal)
      worker ??= start()
      const number = count
      return new Promise((resolve, reject) => {
        const settle = (result: Prepared | Error) =>
          result instanceof Error ? reject(result) : resolve(result)
        waiting.set(number, { document, settle })
        const job: PrepareJob = { number, document }
        worker!.postMessage(job)
      })
    },
    async close() {
      const ended = worker
      worker = undefined
      waiting.clear()
      await ended?.terminate()
    },
  }
}

const withoutText = (document: SourceDocument): SourceDocument => ({ ...document, text: '' })
