/** Hands jobs to inference workers and answers back: in order, questions before passages, through crashes. What embedders
 * and rerankers stand on. */

import { setMaxListeners } from 'node:events'
import { QuarryError } from '../../core/errors.js'
import type { FromWorker, Job, JobResult, WorkerSetup } from './protocol.js'
import { type Isolation, startWorker, type WorkerChannel } from './worker-channel.js'

export interface InferencePool {
  /** The result, or null for a job that crashes its worker twice. `urgent` jobs overtake the others. */
  run(job: Job, options?: { urgent?: boolean; signal?: AbortSignal | undefined }): Promise<JobResult>
  /** Starts a worker ahead of its first job. */
  warm(): void
  close(): Promise<void>
}

export interface PoolOptions {
  readonly setup: WorkerSetup
  readonly workers?: number
  readonly isolation?: Isolation
  /** A job that takes longer has hung: its worker is killed. */
  readonly jobMilliseconds?: number
  /** Another worker program, for tests of crashes. */
  readonly script?: string
}

/** Enough to keep a worker busy while an answer travels, few enough for a question to be next soon. */
const WINDOW = 3
const MOST_RESTARTS = 3

interface Waiting {
  readonly job: Job
  readonly urgent: boolean
  crashes: number
  readonly settle: (outcome: JobResult | QuarryError) => void
}

interface Slot {
  readonly channel: WorkerChannel
  /** Insertion order is the order of work. */
  readonly running: Map<number, Waiting>
  readonly gone: Promise<void>
  loaded: boolean
  timer?: NodeJS.Timeout
}

export function inferencePool(options: PoolOptions): InferencePool {
  const { setup, workers = 1, isolation = 'process', jobMilliseconds = 60_000 } = options
  const slots = new Set<Slot>()
  let queue: Waiting[] = []
  let window = WINDOW
  let restarts = 0
  let nextId = 1
  let failure: QuarryError | undefined

  const fail = (error: QuarryError): void => {
    failure = error
    const lost = [...queue, ...[...slots].flatMap(slot => [...slot.running.values()])]
    queue = []
    for (const slot of slots) slot.running.clear()
    for (const slot of slots) slot.channel.end()
    for (const waiting of lost) waiting.settle(error)
  }

  const start = (): void => {
    let leave = () => {}
    const gone = new Promise<void>(resolve => {
      leave = resolve
    })
    const channel = startWorker(
      setup,
      isolation,
      {
        onMessage: message => receive(slot, message),
        onExit: why => {
          exited(slot, why)
          leave()
        },
      },
      options.script,
    )
    const slot: Slot = { channel, running: new Map(), gone, loaded: false }
    slot.channel.hold(false)
    slots.add(slot)
  }

  const receive = (slot: Slot, message: FromWorker): void => {
    if (message.type === 'ready') {
      slot.loaded = true
      return
    }
    if (message.type === 'failed') {
      fail(new QuarryError(message.code, message.message, { hint: message.hint }))
      return
    }
    const waiting = slot.running.get(message.id)
    slot.running.delete(message.id)
    watch(slot)
    waiting?.settle(message.type === 'done' ? message.result : cannotCompute(setup, message.message))
    pump()
  }

  const exited = (slot: Slot, why: string): void => {
    slots.delete(slot)
    clearTimeout(slot.timer)
    if (failure) return
    // An answer may have been lost with the worker, so only a second crash, with one job at a time, convicts a job; and a
    // worker that dies while it loads has not looked at any.
    window = 1
    const [suspect, ...others] = slot.running.values()
    if (suspect && slot.loaded) suspect.crashes++
    if (suspect && suspect.crashes >= 2) suspect.settle(null)
    else if (suspect) others.unshift(suspect)
    queue.unshift(...others)
    if (++restarts > MOST_RESTARTS)
      fail(
        new QuarryError('INTERNAL', `The worker for ${setup.model} ended ${restarts} times (${why})`, {
          hint: 'quarry doctor',
        }),
      )
    else pump()
  }

  /** Restarts the clock of a worker: it measures the job at the head. */
  const watch = (slot: Slot): void => {
    clearTimeout(slot.timer)
    slot.channel.hold(slot.running.size > 0)
    if (slot.running.size > 0) slot.timer = setTimeout(() => slot.channel.kill(), jobMilliseconds).unref()
  }

  const pump = (): void => {
    while (queue.length > 0) {
      const free = [...slots]
        .filter(slot => slot.running.size < window)
        .sort((a, b) => a.running.size - b.running.size)[0]
      // A further worker costs memory and loading: only a queue that the others cannot take is worth it.
      if (!free && slots.size >= workers) return
      if (!free || (free.running.size > 0 && slots.size < workers)) {
        start()
        continue
      }
      const waiting = queue.shift() as Waiting
      const id = nextId++
      free.running.set(id, waiting)
      free.channel.send({ id, job: waiting.job })
      if (free.running.size === 1) watch(free)
    }
  }

  const run: InferencePool['run'] = (job, { urgent = false, signal } = {}) =>
    new Promise<JobResult>((resolve, reject) => {
      const cancel = () => {
        queue = queue.filter(other => other !== waiting)
        settle(new QuarryError('CANCELLED', 'The work was cancelled'))
      }
      const settle = (outcome: JobResult | QuarryError) => {
        signal?.removeEventListener('abort', cancel)
        if (outcome instanceof QuarryError) reject(outcome)
        else resolve(outcome)
      }
      const waiting: Waiting = { job, urgent, crashes: 0, settle }
      if (failure) return reject(failure)
      if (signal?.aborted) return cancel()
      if (signal) {
        // Many jobs of one call listen to its one signal; that is no leak to warn about.
        setMaxListeners(0, signal)
        signal.addEventListener('abort', cancel, { once: true })
      }
      const place = urgent ? queue.findIndex(other => !other.urgent) : -1
      if (place < 0) queue.push(waiting)
      else queue.splice(place, 0, waiting)
      pump()
    })

  const warm = (): void => {
    if (!failure && slots.size === 0) start()
  }

  const close = async (): Promise<void> => {
    const ending = [...slots].map(slot => slot.gone)
    for (const slot of slots) slot.channel.hold(true)
    if (!failure) fail(new QuarryError('CANCELLED', 'The model was closed'))
    await Promise.all(ending)
  }
  return { run, warm, close }
}

/** Not the fault of one text: ids and lengths are within the model's range by then. */
const cannotCompute = (setup: WorkerSetup, why: string) =>
  new QuarryError('MODEL_DAMAGED', `${setup.model} cannot compute: ${why.split('\n', 1)[0]}`, {
    hint: 'quarry models verify',
  })
