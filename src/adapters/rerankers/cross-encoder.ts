/** Reranks with a cross-encoder: a model that reads question and text together and gives out one number. */

import { QuarryError } from '../../core/errors.js'
import type { Reranker } from '../../core/ports.js'
import type { ModelFiles } from '../models/model-files.js'
import { type InferenceOptions, sharedPool } from '../onnx/shared-pool.js'
import { loadTokenizer, type Tokenizer } from '../onnx/tokenizer.js'

/** As the published pipeline has it. */
const MOST_TEXTS = 50

export interface CrossEncoderOptions extends InferenceOptions {
  /** Question and text together; the longer of the two is cut. */
  readonly maxTokens?: number
}

/** Scores are the logits of the model: any real number, higher is better. */
export function crossEncoder(files: ModelFiles, options: CrossEncoderOptions = {}): Reranker {
  const { maxTokens = 256 } = options
  if (!Number.isInteger(maxTokens) || maxTokens < 8 || maxTokens > 512)
    throw new QuarryError('BAD_CONFIG', `${files.name} takes 8 to 512 tokens, not ${maxTokens}`)
  const pool = sharedPool(files.model, { output: 'logits' }, options)
  let tokenizer: Promise<Tokenizer> | undefined

  const score: Reranker['score'] = async (question, texts, signal) => {
    if (texts.length === 0) return []
    pool.warm()
    tokenizer ??= loadTokenizer(files.tokenizer)
    const { encodePair } = await tokenizer
    const scoreOne = async (text: string): Promise<number> => {
      const { ids, types } = encodePair(question, text, maxTokens)
      const logit = (await pool.run({ kind: 'logit', ids, types }, { urgent: true, signal }))?.[0]
      // The worst of all, and still a number that can be squashed and compared.
      return logit !== undefined && Number.isFinite(logit) ? logit : -100
    }
    return Promise.all(texts.map(scoreOne))
  }

  const id = `${files.name}/${files.revision}/${maxTokens}`
  return { id, mostTexts: MOST_TEXTS, score, close: () => pool.close() }
}
