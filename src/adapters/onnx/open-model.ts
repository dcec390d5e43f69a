/** Opens an ONNX file with the native runtime and runs jobs on it, one text at a time: with int8 weights a vector would
 * change with its batch mates. Used inside the inference worker only. */

import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { QuarryError } from '../../core/errors.js'
import { firstVector, keptRows, maxSim, meanVector } from './pooling.js'
import type { Job, JobResult, KeptTokens, WorkerSetup } from './protocol.js'

type Runtime = typeof import('onnxruntime-node')

export interface OpenModel {
  run(job: Job): Promise<JobResult>
}

export async function openModel(setup: WorkerSetup): Promise<OpenModel> {
  const runtime = await loadRuntime()
  const session = await openSession(runtime, setup)
  const output = checkedOutput(session, setup)
  const dimensions = setup.expect.output === 'hidden' ? setup.expect.dimensions : 0

  const infer = async (ids: Int32Array, types?: Int32Array): Promise<Float32Array> => {
    const tensor = (values: BigInt64Array) => new runtime.Tensor('int64', values, [1, ids.length])
    const feeds: Record<string, Tensor> = { input_ids: tensor(wide(ids)) }
    if (session.inputNames.includes('attention_mask'))
      feeds.attention_mask = tensor(new BigInt64Array(ids.length).fill(1n))
    if (session.inputNames.includes('token_type_ids'))
      feeds.token_type_ids = tensor(types ? wide(types) : new BigInt64Array(ids.length))
    const results = await session.run(feeds, [output])
    const values = results[output]?.data
    if (!(values instanceof Float32Array)) throw damaged(setup, 'gives out no 32-bit numbers')
    return values
  }

  const rows = async ({ ids, keep }: KeptTokens) => keptRows(await infer(ids), dimensions, keep)

  // The texts of one question come in several jobs; its own token vectors are the same in all of them.
  let asked = { key: '', rows: [] as readonly Float32Array[] }
  const questionRows = async (question: KeptTokens): Promise<readonly Float32Array[]> => {
    const key = question.ids.join()
    if (asked.key !== key) asked = { key, rows: await rows(question) }
    return asked.rows
  }

  const run = async (job: Job): Promise<JobResult> => {
    if (job.kind === 'vector') {
      const hidden = await infer(job.ids)
      return job.pooling === 'mean' ? meanVector(hidden, dimensions) : firstVector(hidden, dimensions)
    }
    if (job.kind === 'logit') return Float64Array.of((await infer(job.ids, job.types))[0] ?? Number.NaN)
    const question = await questionRows(job.question)
    const scores = new Float64Array(job.texts.length)
    for (const [position, text] of job.texts.entries()) scores[position] = maxSim(question, await rows(text))
    return scores
  }
  return { run }
}

async function loadRuntime(): Promise<Runtime> {
  try {
    const runtime = (await import('onnxruntime-node')) as Runtime & { readonly default?: Runtime }
    return runtime.default ?? runtime
  } catch (error) {
    throw new QuarryError('DEPENDENCY_MISSING', `onnxruntime-node cannot be loaded: ${firstLine(error)}`, {
      hint: 'npm install onnxruntime-node (with ONNXRUNTIME_NODE_INSTALL=skip where the internet is out of reach)',
      cause: error,
    })
  }
}

async function openSession(runtime: Runtime, setup: WorkerSetup): Promise<InferenceSession> {
  try {
    return await runtime.InferenceSession.create(setup.model, {
      intraOpNumThreads: setup.threads,
      interOpNumThreads: 1,
      // Fatal only: warnings of the runtime are not for the user's terminal.
      logSeverityLevel: 4,
    })
  } catch (error) {
    throw damaged(setup, `cannot be opened: ${firstLine(error)}`)
  }
}

/** The name of the output to read, after a look at shapes: another model under the right name is found out here. */
function checkedOutput(session: InferenceSession, setup: WorkerSetup): string {
  if (!session.inputNames.includes('input_ids')) throw damaged(setup, 'has no input "input_ids"')
  const wanted = setup.expect.output === 'hidden' ? 'last_hidden_state' : 'logits'
  const output = session.outputMetadata.find(({ name }) => name === wanted)
  if (!output?.isTensor) throw damaged(setup, `has no output "${wanted}"`)
  const width = output.shape.at(-1)
  if (setup.expect.output === 'hidden' && width !== setup.expect.dimensions)
    throw damaged(setup, `has dimension ${width} instead of ${setup.expect.dimensions}`)
  return wanted
}

/** 32-bit numbers as 64-bit ones, low half first; far cheaper than one BigInt for each. */
function wide(values: Int32Array): BigInt64Array {
  const result = new BigInt64Array(values.length)
  const halves = new Int32Array(result.buffer)
  for (let position = 0; position < values.length; position++)
    halves[position * 2] = values[position] as number
  return result
}

const firstLine = (error: unknown) => String(error instanceof Error ? error.message : error).split('\n', 1)[0]

const damaged = (setup: WorkerSetup, why: string) =>
  new QuarryError('MODEL_DAMAGED', `${setup.model} ${why}`, { hint: 'quarry models verify' })
