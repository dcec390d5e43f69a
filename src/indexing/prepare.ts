/** From a document as it was read to what the store takes: cut, tokenised by field, named. */

import { createHash } from 'node:crypto'
import type { Chunker, KnownDocument } from '../core/ports.js'
import type { Chunk, PreparedChunk, PreparedDocument, Skipped, SourceDocument } from '../core/types.js'
import { isProse } from '../text/language.js'
import { tokenise } from '../text/tokenise.js'

/** Read again, but the bytes are the same: only its stamp changed. */
export interface Unchanged {
  readonly path: string
  readonly stamp: string
}

export type Outcome = PreparedDocument | Unchanged | Skipped

export const isPrepared = (item: Outcome): item is PreparedDocument => 'document' in item
export const isUnchanged = (item: Outcome): item is Unchanged => !('document' in item) && !('reason' in item)

export const prepare = async (
  item: SourceDocument | Skipped,
  known: ReadonlyMap<string, KnownDocument>,
  chunker: Chunker,
  signal?: AbortSignal,
): Promise<Outcome> => {
  if ('reason' in item) return item
  if (known.get(item.path)?.contentHash === item.contentHash) return { path: item.path, stamp: item.stamp }
  const chunks = await chunker.chunk(item, signal)
  const path = tokenise(item.path).join(' ')
  return { document: item, chunks: chunks.map((chunk, ordinal) => prepareChunk(item, chunk, ordinal, path)) }
}

const prepareChunk = (
  document: SourceDocument,
  chunk: Chunk,
  ordinal: number,
  path: string,
): PreparedChunk => ({
  ...chunk,
  digest: hash(`${document.kind}\0${document.path}\0${ordinal}\0${chunk.text}`, 16),
  tokens: {
    body: tokenise(chunk.text).join(' '),
    header: tokenise(headerWithoutPath(document.path, chunk.header)).join(' '),
    path,
    symbols: chunk.symbols.flatMap(symbol => tokenise(symbol.name)).join(' '),
  },
  embeddingHash: hash(embeddingText({ ...document, text: chunk.text }), 32),
})

/**
 * What embedders read: the path tells what a piece of code belongs to, and its first lines tell what it does; reading on costs
 * time and gained nothing after ranking. Prose is read whole.
 */
export const embeddingText = (chunk: {
  readonly path: string
  readonly language: string
  readonly text: string
}): string =>
  `${chunk.path}\n${isProse(chunk.language) ? chunk.text : chunk.text.slice(0, CODE_CHARACTERS).toWellFormed()}`

const CODE_CHARACTERS = 480

/** The path has a field of its own. */
const headerWithoutPath = (path: string, header: string): string =>
  header.startsWith(path) ? header.slice(path.length) : header

const hash = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)
