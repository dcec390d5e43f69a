/** Vectors: the quick ones travel with their text, the deep ones fill in behind and can be interrupted at any time. */

import type { Progress, Warning } from '../core/answers.js'
import type { Embedder, IndexWriter, VectorBatch } from '../core/ports.js'
import { meter } from './meter.js'
import { embeddingText, type Prepared } from './prepare.js'

/** Small enough that an interruption loses about a second of work. */
const TEXTS_AT_ONCE = 64

/** A failing embedder costs the vectors of its batch, never the text. */
export const embedQuickly = async (
  documents: readonly Prepared[],
  embedder: Embedder | null,
  warnings: Warning[],
  signal?: AbortSignal,
): Promise<readonly VectorBatch[]> => {
  if (embedder === null || documents.length === 0) return []
  const texts = new Map<string, string>()
  const ready = documents.flatMap(({ vectors }) => vectors ?? [])
  for (const { document, chunks, vectors } of documents) {
    if (vectors) continue
    for (const chunk of chunks) {
      if (chunk.embeddingHash !== null) texts.set(chunk.embeddingHash, embeddingText(document, chunk))
    }
  }
  try {
    return [...ready, await embedTexts(texts, embedder, signal)].filter(batch => batch.vectors.size > 0)
  } catch (error) {
    if (signal?.aborted) throw error
    warnOnce(warnings, error)
    return ready
  }
}

export interface EmbedOptions {
  readonly now: () => number
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly warnings: Warning[]
}

/** One embedder after the other; each embeds what waits, the newest documents first. */
export const embedPending = async (
  writer: IndexWriter,
  embedders: readonly Embedder[],
  options: EmbedOptions,
): Promise<{ embedded: number; pendingVectors: number }> => {
  let embedded = 0
  for (const embedder of embedders) embedded += await embedAll(writer, embedder, options)
  let pendingVectors = 0
  for (const { id } of embedders) pendingVectors += (await writer.pending(id, 0)).total
  return { embedded, pendingVectors }
}

const embedAll = async (writer: IndexWriter, embedder: Embedder, options: EmbedOptions): Promise<number> => {
  const { now, onProgress, signal, warnings } = options
  const progress = meter('embed', (await writer.pending(embedder.id, 0)).total, now, onProgress)
  let embedded = 0
  while (!signal?.aborted) {
    const { chunks } = await writer.pending(embedder.id, TEXTS_AT_ONCE)
    if (chunks.length === 0) break
    try {
      const texts = new Map(chunks.map(chunk => [chunk.embeddingHash!, embeddingText(chunk, chunk)]))
      await writer.saveVectors(await embedTexts(texts, embedder, signal))
    } catch (error) {
      if (!signal?.aborted) warnOnce(warnings, error)
      break
    }
    embedded += chunks.length
    progress.add(chunks.length)
  }
  return embedded
}

/** The quick vectors of one document. */
export const embedDocument = async (
  { document, chunks }: Prepared,
  embedder: Embedder,
): Promise<VectorBatch> => {
  const texts = chunks.flatMap(chunk =>
    chunk.embeddingHash === null ? [] : [[chunk.embeddingHash, embeddingText(document, chunk)] as const],
  )
  return embedTexts(new Map(texts), embedder)
}

const embedTexts = async (
  texts: ReadonlyMap<string, string>,
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<VectorBatch> => {
  const vectors = await embedder.embed([...texts.values()], 'passage', signal)
  const byHash = new Map([...texts.keys()].map((hash, position) => [hash, vectors[position] ?? null]))
  return { embedderId: embedder.id, dimensions: embedder.dimensions, vectors: byHash }
}

const warnOnce = (warnings: Warning[], error: unknown): void => {
  const message = `Vectors are missing: ${error instanceof Error ? error.message : String(error)}`
  if (!warnings.some(warning => warning.message === message)) {
    warnings.push({ code: 'EMBEDDING_FAILED', message, hint: 'quarry doctor' })
  }
}
