/**
 * A few worker threads and the jobs that wait for them. A job that takes too long costs its worker and is given up; one
 * whose worker dies is tried again on a fresh worker, a few times. Idle workers do not keep the process alive.
 */

import type { Worker } from 'node:worker_threads'
import { QuarryError } from '../../../core/errors.js'
import { onAbort } from './on-abort.js'
import type { ParseJob, ParseResult, WorkerReply } from './worker-messages.js'

export interface PoolOptions {
  readonly size: number
  readonly start: () => Worker
  /** How long a job may take once its grammar is loaded. */
  readonly jobTimeoutMs: number
  /** How long a worker may take to start and to load a grammar. */
  readonly loadTimeoutMs: number
  /** A worker that holds more memory than this is replaced when its job is done. */
  readonly memoryLimit: number
}

export interface WorkerPool {
  /** Undefined also when the job was given up: too slow, or its worker died too often. */
  run(job: ParseJob, signal?: AbortSignal): Promise<ParseResult>
  close(): Promise<void>
}

/** A worker that dies on the same document so often will die again. */
const RESTARTS = 3

interface Ticket {
  readonly job: ParseJob
  readonly settle: (result: ParseResult) => void
  readonly fail: (error: Error) => void
  deaths: number
}

interface Slot {
  readonly worker: Worker
  ticket: Ticket | undefined
  timer: NodeJS.Timeout | undefined
}

export const workerPool = (options: PoolOptions): WorkerPool => {
  const slots = new Set<Slot>()
  const waiting: Ticket[] = []
  const ending = new Set<Promise<unknown>>()
  let closed = false

  const dispatch = (): void => {
    while (waiting.length > 0) {
      const slot =
        [...slots].find(({ ticket }) => !ticket) ?? (slots.size < options.size ? open() : undefined)
      if (!slot) return
      const ticket = waiting.shift()!
      slot.ticket = ticket
      slot.worker.ref()
      allow(slot, options.loadTimeoutMs)
      slot.worker.postMessage(ticket.job)
    }
  }

  const open = (): Slot => {
    const slot: Slot = { worker: options.start(), ticket: undefined, timer: undefined }
    slots.add(slot)
    slot.worker.on('message', (message: WorkerReply) => answer(slot, message))
    // An error is always followed by the exit, which deals with the job.
    slot.worker.on('error', () => {})
    slot.worker.on('exit', () => bury(slot))
    return slot
  }

  const answer = (slot: Slot, message: WorkerReply): void => {
    // The last words of a worker that is being ended: its job went elsewhere.
    if (!slots.has(slot)) return
    if (message.type === 'loaded') {
      allow(slot, options.jobTimeoutMs)
      return
    }
    const ticket = release(slot)
    if (message.memory > options.memoryLimit) discard(slot)
    ticket?.settle(message.result)
    dispatch()
  }

  const allow = (slot: Slot, milliseconds: number): void => {
    const { ticket } = slot
    clearTimeout(slot.timer)
    // When this thread itself was busy, timers run before the answers that have come in meanwhile: let those go first.
    slot.timer = setTimeout(() => setImmediate(() => slot.ticket === ticket && giveUp(slot)), milliseconds)
  }

  const giveUp = (slot: Slot): void => {
    const ticket = release(slot)
    discard(slot)
    ticket?.settle(undefined)
    dispatch()
  }

  /** Takes the job off a worker. */
  const release = (slot: Slot): Ticket | undefined => {
    const { ticket } = slot
    clearTimeout(slot.timer)
    slot.ticket = undefined
    slot.worker.unref()
    return ticket
  }

  /** Ends a worker without waiting for it; its place is free at once. */
  const discard = (slot: Slot): void => {
    slots.delete(slot)
    // An idle worker does not keep the process alive; while it ends it must, or `close` would never be done.
    slot.worker.ref()
    const end = slot.worker.terminate().catch(() => {})
    ending.add(end)
    end.finally(() => ending.delete(end))
  }

  const bury = (slot: Slot): void => {
    slots.delete(slot)
    const ticket = release(slot)
    if (!ticket) return
    ticket.deaths += 1
    if (closed) ticket.fail(closedError())
    else if (ticket.deaths > RESTARTS) ticket.settle(undefined)
    else waiting.unshift(ticket)
    dispatch()
  }

  return {
    run: (job, signal) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closedError())
        if (signal?.aborted) return reject(cancelledError())
        const ticket: Ticket = {
          job,
          settle: result => {
            forget?.()
            resolve(result)
          },
          fail: error => {
            forget?.()
            reject(error)
          },
          deaths: 0,
        }
        // A job that a worker is at runs on to its own time limit; nobody waits for it any more.
        const forget =
          signal &&
          onAbort(signal, () => {
            const place = waiting.indexOf(ticket)
            if (place >= 0) waiting.splice(place, 1)
            ticket.fail(cancelledError())
          })
        waiting.push(ticket)
        dispatch()
      }),
    close: async () => {
      closed = true
      for (const ticket of waiting.splice(0)) ticket.fail(closedError())
      for (const slot of [...slots]) {
        release(slot)?.fail(closedError())
        discard(slot)
      }
      await Promise.all(ending)
    },
  }
}

const closedError = (): QuarryError =>
  new QuarryError('CANCELLED', 'The chunker was closed while it was at work')

const cancelledError = (): QuarryError => new QuarryError('CANCELLED', 'Cutting the document was cancelled')
