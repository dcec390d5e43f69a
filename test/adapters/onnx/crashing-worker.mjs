/** Stands in for the inference worker and does what the first token id tells it to: 1 dies, 2 hangs, anything else answers.
 * Each start leaves a line in the file that the setup names as its model. */
import { appendFileSync } from 'node:fs'

const { model, threads } = JSON.parse(process.argv[2])
appendFileSync(model, `start ${process.pid}\n`)
process.on('disconnect', () => process.exit(0))
process.on('message', async ({ id, job }) => {
  const [order] = job.ids
  if (order === 1) process.kill(process.pid, 'SIGKILL')
  if (order === 2) for (;;);
  if (order === 3) await new Promise(resolve => setTimeout(resolve, 50))
  appendFileSync(model, `job ${job.ids[1]}\n`)
  process.send({ type: 'done', id, result: Float32Array.of(job.ids[1]) })
})
if (threads === 9) process.kill(process.pid, 'SIGSEGV')
process.send({ type: 'ready' })
