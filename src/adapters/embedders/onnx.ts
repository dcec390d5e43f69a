/** Embeds text with a transformer model. Texts are cut into tokens here; a worker runs the model, so that indexing goes on
 * meanwhile. Nothing is loaded before the first text. */

import { QuarryError } from '../../core/errors.js'
import type { Embedder } from '../../core/ports.js'
import type { ModelFiles } from '../models/model-files.js'
import { type InferenceOptions, sharedPool } from '../onnx/shared-pool.js'
import { loadTokenizer, type Tokenizer } from '../onnx/tokenizer.js'
import type { EmbedderSpec } from './specs.js'

export interface OnnxEmbedderOptions extends InferenceOptions {
  /** Longer texts are cut there, special tokens included. */
  readonly maxTokens: number
}

/** `ask` puts the same question to several indexes, rewording and refilling put it again. */
const QUESTIONS_REMEMBERED = 64

/** Texts on their way at a time: enough to keep every worker busy, few enough to stay small. */
const IN_FLIGHT = 16

export function onnxEmbedder(files: ModelFiles, spec: EmbedderSpec, options: OnnxEmbedderOptions): Embedder {
  const { maxTokens } = options
  if (!Number.isInteger(maxTokens) || maxTokens < 3 || maxTokens > spec.mostTokens)
    throw new QuarryError(
      'BAD_CONFIG',
      `${files.name} takes 3 to ${spec.mostTokens} tokens, not ${maxTokens}`,
    )

  const pool = sharedPool(files.model, { output: 'hidden', dimensions: spec.dimensions }, options)
  let tokenizer: Promise<Tokenizer> | undefined
  const remembered = new Map<string, Float32Array>()

  /** The model loads in its worker while the vocabulary is read here. */
  const load = (): Promise<Tokenizer> => {
    pool.warm()
    tokenizer ??= loadTokenizer(files.tokenizer)
    return tokenizer
  }

  const embed: Embedder['embed'] = async (texts, role, signal) => {
    const { encode, extra } = await load()
    const prefix = role === 'question' ? spec.questionPrefix : ''

    const embedOne = async (text: string): Promise<Float32Array | null> => {
      const { ids } = encode(text, maxTokens)
      if (ids.length <= extra) return null
      const whole = prefix ? encode(prefix + text, maxTokens).ids : ids
      const job = { kind: 'vector', ids: whole, pooling: spec.pooling } as const
      const vector = await pool.run(job, { urgent: role === 'question', signal })
      return vector instanceof Float32Array ? vector : null
    }

    const embedQuestion = async (text: string): Promise<Float32Array | null> => {
      const known = remembered.get(text)
      if (known) return known
      const vector = await embedOne(text)
      if (remembered.size >= QUESTIONS_REMEMBERED) remembered.clear()
      if (vector) remembered.set(text, vector)
      return vector
    }
    const embedText = role === 'question' ? embedQuestion : embedOne

    const vectors = new Array<Float32Array | null>(texts.length).fill(null)
    let next = 0
    const takeTurns = async (): Promise<void> => {
      for (let turn = next++; turn < texts.length; turn = next++)
        vectors[turn] = await embedText(texts[turn] as string)
    }
    await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, texts.length) }, takeTurns))
    return vectors
  }

  return {
    id: `${files.name}/${files.revision}/${maxTokens}`,
    dimensions: spec.dimensions,
    embed,
    // What is wrong with the files is said when they are asked.
    warm: () => void load().catch(() => {}),
    close: () => pool.close(),
  }
}
