/** Small documents to put into a store, made so that a test says only what it is about. */

import type { TextScoring, VectorBatch } from '../core/ports.js'
import {
  type ChunkKind,
  type CodeSymbol,
  FIELD_NAMES,
  type FieldName,
  type FieldTexts,
  type PreparedChunk,
  type PreparedDocument,
} from '../core/types.js'

export interface ChunkSketch {
  readonly text: string
  readonly header?: string
  readonly symbols?: readonly CodeSymbol[]
  /** Tokens by field; the body defaults to the text in small letters. */
  readonly tokens?: FieldTexts
  readonly embeddingHash?: string
}

export interface DocumentSketch {
  readonly kind?: ChunkKind
  readonly language?: string
  readonly time?: number
  readonly stamp?: string
  readonly contentHash?: string
}

/** A chunk may be given by its text alone. */
export const sampleDocument = (
  path: string,
  chunks: readonly (string | ChunkSketch)[],
  sketch: DocumentSketch = {},
): PreparedDocument => {
  const { kind = 'code', language = 'typescript', time = 1_700_000_000_000 } = sketch
  const sketches = chunks.map(chunk => (typeof chunk === 'string' ? { text: chunk } : chunk))
  const text = sketches.map(chunk => chunk.text).join('\n')
  const { stamp = `stamp of ${path}`, contentHash = `hash of ${JSON.stringify(text)}` } = sketch
  return {
    document: { kind, path, language, text, contentHash, stamp, time },
    chunks: sketches.map((chunk, ordinal) => sampleChunk(path, chunk, ordinal)),
  }
}

const sampleChunk = (path: string, sketch: ChunkSketch, ordinal: number): PreparedChunk => {
  const { text, header = `${path} :: chunk`, symbols = [], embeddingHash = embeddingHashOf(text) } = sketch
  return {
    startLine: ordinal * 10 + 1,
    endLine: ordinal * 10 + 10,
    text,
    header,
    symbols,
    digest: `${path}#${ordinal}`,
    tokens: { body: text.toLowerCase(), header: '', path: '', symbols: '', ...sketch.tokens },
    embeddingHash,
  }
}

/** Every field counts as weighed, its length half. */
export const plainScoring = (weights: TextScoring['weights']): TextScoring => ({
  weights,
  k1: 1.6,
  lengthCorrection: Object.fromEntries(FIELD_NAMES.map(field => [field, 0.5])) as Record<FieldName, number>,
})

/** Real hashes hold no strange characters. */
export const embeddingHashOf = (text: string): string => `embedding of ${JSON.stringify(text)}`

/** Vectors by the text of their chunk. */
export const sampleVectors = (
  embedderId: string,
  vectors: Readonly<Record<string, readonly number[] | null>>,
): VectorBatch => {
  const entries = Object.entries(vectors)
  const dimensions = entries.find(([, vector]) => vector !== null)?.[1]?.length ?? 4
  return {
    embedderId,
    dimensions,
    vectors: new Map(entries.map(([text, vector]) => [embeddingHashOf(text), vector && unit(vector)])),
  }
}

export const unit = (vector: readonly number[]): Float32Array => {
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, value => value / length)
}
