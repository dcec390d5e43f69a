/** What the model says: a vector for every token of its vocabulary alone, and for every text. Both are kept in a work
 * directory, because they take minutes and the rest takes seconds. */

import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as runtime from 'onnxruntime-node'
import { onnxEmbedder } from '#dist/adapters/embedders/onnx.js'
import type { EmbedderSpec } from '#dist/adapters/embedders/specs.js'
import type { ModelFiles } from '#dist/adapters/models/model-files.js'

const TEXTS_AT_ONCE = 256

/** Tokens in the order of their ids. */
export async function vocabulary(files: ModelFiles): Promise<string[]> {
  const { model } = JSON.parse(await readFile(files.tokenizer, 'utf8')) as {
    model: { vocab: Record<string, number> }
  }
  const tokens: string[] = []
  for (const [token, id] of Object.entries(model.vocab)) tokens[id] = token
  return tokens
}

/** The last layer at the place of the token in `[CLS] token [SEP]`: measured better than the mean of the three places. */
export async function tokenVectors(
  files: ModelFiles,
  spec: EmbedderSpec,
  work: string,
): Promise<Float32Array> {
  return kept(join(work, `tokens-${files.name}.f32`), async () => {
    const tokens = await vocabulary(files)
    const [start, end] = [tokens.indexOf('[CLS]'), tokens.indexOf('[SEP]')]
    const session = await runtime.InferenceSession.create(files.model, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    })
    const tensor = (values: readonly number[]) =>
      new runtime.Tensor('int64', BigInt64Array.from(values.map(BigInt)), [1, 3])
    const vectors = new Float32Array(tokens.length * spec.dimensions)
    for (let id = 0; id < tokens.length; id++) {
      const feeds = {
        input_ids: tensor([start, id, end]),
        attention_mask: tensor([1, 1, 1]),
        token_type_ids: tensor([0, 0, 0]),
      }
      const hidden = (await session.run(feeds)).last_hidden_state?.data as Float32Array
      vectors.set(hidden.subarray(spec.dimensions, 2 * spec.dimensions), id * spec.dimensions)
    }
    await session.release()
    return vectors
  })
}

/** Unit vectors one after another; zeros for a text that has none. */
export async function textVectors(
  files: ModelFiles,
  spec: EmbedderSpec,
  texts: readonly string[],
  work: string,
): Promise<Float32Array> {
  const name = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12)
  return kept(join(work, `texts-${files.name}-${name}.f32`), async () => {
    const embedder = onnxEmbedder(files, spec, { maxTokens: 128 })
    const vectors = new Float32Array(texts.length * spec.dimensions)
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
      const batch = await embedder.embed(texts.slice(start, start + TEXTS_AT_ONCE), 'passage')
      for (const [row, vector] of batch.entries())
        if (vector) vectors.set(vector, (start + row) * spec.dimensions)
    }
    await embedder.close()
    return vectors
  })
}

async function kept(path: string, make: () => Promise<Float32Array>): Promise<Float32Array> {
  const stored = await readFile(path).catch(() => null)
  if (stored) return new Float32Array(Uint8Array.from(stored).buffer)
  const values = await make()
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, Buffer.from(values.buffer))
  return values
}
