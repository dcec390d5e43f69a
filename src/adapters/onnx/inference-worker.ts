/** Runs a model in a process or thread of its own: the runtime blocks while it computes, and a crash in native code must
 * not take the index run with it. Started by `worker-channel.ts`; reads jobs, one at a time, and answers each. */

import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { QuarryError } from '../../core/errors.js'
import { openModel } from './open-model.js'
import type { FromWorker, ToWorker, WorkerSetup } from './protocol.js'

const tell = (message: FromWorker): void => {
  if (parentPort) parentPort.postMessage(message)
  else process.send?.(message)
}

const setup: WorkerSetup = isMainThread ? JSON.parse(process.argv[2] ?? '{}') : workerData

if (isMainThread) {
  // Ctrl-C reaches the whole group; the parent decides when this process ends, and its death ends it too.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit(0))
}

const jobs: Exclude<ToWorker, 'end'>[] = []
const opened = openModel(setup).catch((error: unknown) => {
  const known = error instanceof QuarryError ? error : new QuarryError('INTERNAL', String(error))
  tell({ type: 'failed', code: known.code, message: known.message, hint: known.hint ?? 'quarry doctor' })
  return null
})

let busy = false
async function work(): Promise<void> {
  if (busy) return
  busy = true
  const model = await opened
  for (let next = jobs.shift(); model && next; next = jobs.shift()) {
    try {
      tell({ type: 'done', id: next.id, result: await model.run(next.job) })
    } catch (error) {
      tell({ type: 'error', id: next.id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  busy = false
}

const receive = (message: ToWorker): void => {
  if (message === 'end') {
    jobs.length = 0
    parentPort?.close()
    return
  }
  jobs.push(message)
  void work()
}
if (parentPort) parentPort.on('message', receive)
else process.on('message', receive)

if (await opened) tell({ type: 'ready' })
