/** Reranks by late interaction (MaxSim): each word of the question looks for its best match among the words of the text,
 * over the token vectors of an embedding model. No model of its own: it runs on the files the embedder has. */

import type { Reranker } from '../../core/ports.js'
import type { ModelFiles } from '../models/model-files.js'
import type { KeptTokens } from '../onnx/protocol.js'
import { type InferenceOptions, sharedPool } from '../onnx/shared-pool.js'
import { loadTokenizer, type Tokenizer } from '../onnx/tokenizer.js'

export interface LateInteractionOptions extends InferenceOptions {
  /** Texts are cut there. */
  readonly maxTokens?: number
  /** Size of the token vectors. */
  readonly dimensions?: number
}

const QUESTION_TOKENS = 64
/**
 * Each job reads the question again, so there are few; and as many as two or four workers can share evenly: of twelve texts in jobs
 * of four one of two workers reads eight, in jobs of three each reads six.
 */
const MOST_JOBS = 8
const LEAST_TEXTS_IN_JOB = 3
/**
 * About 10 ms each on two cores: a rerank stays below 150 ms. Sixteen texts cost a third more for .002 nDCG@10 on code-search, and
 * sixteen cut at 96 tokens cost .007 there; cosqa does not care (bench -- evaluate).
 */
const MOST_TEXTS = 12

/** Scores lie between −1 and 1; a text without words gets −1. */
export function lateInteraction(files: ModelFiles, options: LateInteractionOptions = {}): Reranker {
  const { maxTokens = 128, dimensions = 384 } = options
  const pool = sharedPool(files.model, { output: 'hidden', dimensions }, options)
  let tokenizer: Promise<Tokenizer> | undefined

  const score: Reranker['score'] = async (question, texts, signal) => {
    if (texts.length === 0) return []
    pool.warm()
    tokenizer ??= loadTokenizer(files.tokenizer)
    const { encode, silent } = await tokenizer
    const skipped = silent()
    const kept = (text: string, limit: number): KeptTokens => {
      const { ids } = encode(text, limit)
      return { ids, keep: Uint8Array.from(ids, id => (skipped.has(id) ? 0 : 1)) }
    }
    const words = kept(question, QUESTION_TOKENS)
    const scoreSome = async (some: readonly string[]): Promise<number[]> => {
      const job = { kind: 'maxSim', question: words, texts: some.map(text => kept(text, maxTokens)) } as const
      const scores = await pool.run(job, { urgent: true, signal })
      return scores ? [...scores] : some.map(() => -1)
    }
    const groups: Promise<number[]>[] = []
    const inJob = Math.max(LEAST_TEXTS_IN_JOB, Math.ceil(texts.length / MOST_JOBS))
    for (let start = 0; start < texts.length; start += inJob)
      groups.push(scoreSome(texts.slice(start, start + inJob)))
    return (await Promise.all(groups)).flat()
  }

  return {
    id: `late-interaction/${files.name}/${files.revision}/${maxTokens}`,
    mostTexts: MOST_TEXTS,
    score,
    close: () => pool.close(),
  }
}
