/** The yardstick of embedding: one session, tokens made beforehand, vectors thrown away. */

import * as runtime from 'onnxruntime-node'
import type { ModelFiles } from '#dist/adapters/models/model-files.js'
import { loadTokenizer } from '#dist/adapters/onnx/tokenizer.js'

export interface BareLoop {
  readonly meanTokens: number
  run(): Promise<void>
  close(): Promise<void>
}

export const bareLoop = async (
  files: ModelFiles,
  texts: readonly string[],
  { maxTokens, threads }: { readonly maxTokens: number; readonly threads: number },
): Promise<BareLoop> => {
  const { encode } = await loadTokenizer(files.tokenizer)
  const session = await runtime.InferenceSession.create(files.model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  })
  const feeds = texts.map(text => {
    const { ids } = encode(text, maxTokens)
    const tensor = (fill: (position: number) => bigint) =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, (_, position) => fill(position)),
        [1, ids.length],
      )
    return {
      input_ids: tensor(position => BigInt(ids[position] ?? 0)),
      attention_mask: tensor(() => 1n),
      token_type_ids: tensor(() => 0n),
    }
  })
  return {
    meanTokens: feeds.reduce((sum, feed) => sum + (feed.input_ids.dims[1] ?? 0), 0) / feeds.length,
    run: async () => {
      for (const feed of feeds) await session.run(feed)
    },
    close: () => session.release(),
  }
}
