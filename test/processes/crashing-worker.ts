/**
 * Stands in for the inference worker and does what the first token id tells it to: 1 dies, 2 hangs, anything else answers.
 * Each start leaves a line in the file that the setup names as its model.
 */

import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { FromWorker, ToWorker, WorkerSetup } from '#dist/adapters/onnx/protocol.js'

const { model, threads } = JSON.parse(process.argv[2]!) as WorkerSetup

const reply = (message: FromWorker): void => void process.send!(message)

appendFileSync(model, `start ${process.pid}\n`)
process.on('disconnect', () => process.exit(0))
process.on('message', async ({ id, job }: Exclude<ToWorker, 'end'>) => {
  if (job.kind !== 'vector') return
  const [order, value = 0] = job.ids
  if (order === 1) process.kill(process.pid, 'SIGKILL')
  if (order === 2) for (;;);
  if (order === 3) await pause(50)
  appendFileSync(model, `job ${value}\n`)
  reply({ type: 'done', id, result: Float32Array.of(value) })
})
if (threads === 9) process.kill(process.pid, 'SIGSEGV')
reply({ type: 'ready' })
