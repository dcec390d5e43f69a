/** Documents whose every chunk says which document, revision and place it belongs to, so that a torn one gives itself away. */

import type { IndexReader, VectorBatch } from '#dist/core/ports.js'
import type { PreparedDocument } from '#dist/core/types.js'
import { plainScoring, sampleDocument } from '#dist/testing/index.js'

export interface Inspection {
  /** Of each document, by path. */
  readonly revisions: Readonly<Record<string, number>>
  /** Everything that is not of one piece. */
  readonly faults: readonly string[]
}

const DIMENSIONS = 16

const chunksIn = (number: number, revision: number): number => 2 + ((number * 7 + revision) % 4)

export const versionOf = (number: number, revision: number): PreparedDocument => {
  const count = chunksIn(number, revision)
  const chunks = Array.from({ length: count }, (_, ordinal) => ({
    text: `document ${number} revision ${revision} chunk ${ordinal} of ${count} ${'filler '.repeat(ordinal * 40)}`,
    tokens: { body: `mark${number}x${revision} chunk${ordinal}` },
    embeddingHash: `${number}/${revision}/${ordinal}`,
  }))
  return sampleDocument(`doc-${number}.ts`, chunks, { contentHash: `${number}@${revision}`, time: revision })
}

export const vectorsOf = ({ document, chunks }: PreparedDocument): VectorBatch => {
  const [number, revision] = numbersIn(document.contentHash)
  const vectors = new Map(
    chunks.map(({ embeddingHash }, ordinal) => [embeddingHash!, vectorOf(number, revision, ordinal)]),
  )
  return { embedderId: 'm', dimensions: DIMENSIONS, vectors }
}

const vectorOf = (number: number, revision: number, ordinal: number): Float32Array => {
  const values = Array.from({ length: DIMENSIONS }, (_, at) =>
    Math.sin(number * 31 + revision * 7 + ordinal * 3 + at),
  )
  const length = Math.hypot(...values)
  return Float32Array.from(values, value => value / length)
}

export const inspect = async (reader: IndexReader): Promise<Inspection> => {
  const revisions: Record<string, number> = {}
  const faults: string[] = []
  for (const [path, { contentHash }] of await reader.known('code')) {
    const [number, revision] = numbersIn(contentHash)
    revisions[path] = revision
    faults.push(...(await faultsIn(path, number, revision, reader)))
  }
  return { revisions, faults }
}

const faultsIn = async (
  path: string,
  number: number,
  revision: number,
  reader: IndexReader,
): Promise<readonly string[]> => {
  const faults: string[] = []
  const expected = versionOf(number, revision).chunks.map(({ text }) => text)
  const chunks = await reader.chunksOf(path)
  const texts = chunks.map(({ text }) => text)
  if (JSON.stringify(texts) !== JSON.stringify(expected))
    faults.push(`${path} is not whole: ${texts.length} of ${expected.length} chunks at revision ${revision}`)
  const terms = [{ token: `mark${number}x${revision}`, weight: 1 }]
  const found = await reader.matchTerms(terms, plainScoring({ body: 1 }), {}, 100)
  if (found.length !== chunks.length)
    faults.push(`${path}: ${found.length} of ${chunks.length} chunks are searchable`)
  const ids = chunks.map(({ id }) => id)
  const vectors = await reader.vectors('m', ids)
  if (vectors.size !== chunks.length)
    faults.push(`${path}: ${vectors.size} of ${chunks.length} chunks have a vector`)
  return faults
}

/** The document and the revision that a content hash names. */
const numbersIn = (contentHash: string): [number: number, revision: number] => {
  const [number, revision] = contentHash.split('@').map(Number)
  return [number!, revision!]
}
