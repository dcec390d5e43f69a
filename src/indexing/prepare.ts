/** From a document as it was read to what the store takes: cut, tokenised by field, named. */

import { createHash } from 'node:crypto'
import type { Chunker, KnownDocument, VectorBatch } from '../core/ports.js'
import type {
  Chunk,
  ChunkKind,
  FieldTexts,
  PreparedChunk,
  PreparedDocument,
  Skipped,
  SourceDocument,
} from '../core/types.js'
import { isProse } from '../text/language.js'
import { secretsIn } from '../text/redact.js'
import { tokenise } from '../text/tokenise.js'
import { wordsOf } from '../text/turns.js'

/** Read again, but the bytes are the same: only its stamp changed. */
export interface Unchanged {
  readonly path: string
  readonly stamp: string
}

/** With the quick vectors of its chunks, where they were made along with it. */
export interface Prepared extends PreparedDocument {
  readonly vectors?: VectorBatch
}

/** Cuts and tokenises a document, here or in a thread of its own. */
export type PrepareDocument = (document: SourceDocument, signal?: AbortSignal) => Promise<Prepared>

export type Outcome = Prepared | Unchanged | Skipped

export const isPrepared = (item: Outcome): item is Prepared => 'document' in item
export const isUnchanged = (item: Outcome): item is Unchanged => !('document' in item) && !('reason' in item)

export const prepare = async (
  item: SourceDocument | Skipped,
  known: ReadonlyMap<string, KnownDocument>,
  prepareDocument: PrepareDocument,
  signal?: AbortSignal,
): Promise<Outcome> => {
  if ('reason' in item) return item
  if (known.get(item.path)?.contentHash === item.contentHash) return { path: item.path, stamp: item.stamp }
  return prepareDocument(item, signal)
}

export const prepareWith =
  (chunker: Chunker): PrepareDocument =>
  async (document, signal) => {
    const chunks = await chunker.chunk(document, signal)
    return {
      document: withSecrets(document),
      chunks: chunks.map((chunk, ordinal) => prepareChunk(document, chunk, ordinal)),
    }
  }

/** More of them would be a list of samples. */
const MOST_SECRETS = 100

/** Where a file of code holds secrets, for `status` to count. Of history nothing is: it would take half as long again. */
const withSecrets = (document: SourceDocument): SourceDocument => {
  const secrets = document.kind === 'code' ? secretsIn(document.text).slice(0, MOST_SECRETS) : []
  if (secrets.length === 0) return document
  const places = secrets.map(
    ({ line, kind }): Skipped => ({ path: String(line), reason: 'redacted', detail: kind }),
  )
  return { ...document, omitted: [...(document.omitted ?? []), ...places] }
}

const prepareChunk = (
  document: SourceDocument,
  { fields, ...chunk }: Chunk,
  ordinal: number,
): PreparedChunk => {
  if (fields === null)
    return { ...chunk, digest: `${document.path}.${ordinal}`, tokens: null, embeddingHash: null }
  const digest = hash(`${document.kind}\0${document.path}\0${ordinal}\0${chunk.text}`, 16)
  const tokens = tokeniseFields(fields ?? codeFields(document, chunk))
  return { ...chunk, digest, tokens, embeddingHash: hash(embeddingText(document, chunk), 32) }
}

const codeFields = ({ path }: SourceDocument, { text, header, symbols }: Chunk): FieldTexts => ({
  body: text,
  header: headerWithoutPath(path, header),
  path,
  symbols: symbols.map(({ name }) => name).join('\n'),
})

const tokeniseFields = (fields: FieldTexts): FieldTexts =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, tokenise(text).join(' ')]))

/**
 * What embedders read. Of code: the path tells what a piece belongs to, and its first lines tell what it does; reading on costs
 * time and gained nothing after ranking. Prose is read whole, of a commit the summary in its header.
 */
export const embeddingText = (
  { kind, path, language }: { readonly kind: ChunkKind; readonly path: string; readonly language: string },
  { text, header, symbols }: Pick<Chunk, 'text' | 'header' | 'symbols'>,
): string => {
  if (kind === 'hunk') return header
  // Of a turn nothing but its words: with the speaker's name R@10 was .46 instead of .64 (docs/notes.md).
  if (kind === 'note') {
    const speaker = symbols.find(symbol => symbol.kind === 'speaker')?.name ?? ''
    return header === '' ? wordsOf(speaker, text) : `${header}\n${text}`
  }
  return `${path}\n${isProse(language) ? text : text.slice(0, CODE_CHARACTERS).toWellFormed()}`
}

const CODE_CHARACTERS = 480

/** The path has a field of its own. */
const headerWithoutPath = (path: string, header: string): string =>
  header.startsWith(path) ? header.slice(path.length) : header

const hash = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)
