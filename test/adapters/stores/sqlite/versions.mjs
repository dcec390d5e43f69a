/** Documents whose every chunk says which document, revision and place it belongs to, so that a torn one gives itself away. */

import { plainScoring, sampleDocument } from '../../../../dist/testing/index.js'

const DIMENSIONS = 16

const chunksIn = (number, revision) => 2 + ((number * 7 + revision) % 4)

export const versionOf = (number, revision) => {
  const count = chunksIn(number, revision)
  const texts = Array.from(
    { length: count },
    (_, ordinal) => `document ${number} revision ${revision} chunk ${ordinal} of ${count} `,
  )
  const chunks = texts.map((text, ordinal) => ({
    text: text + 'filler '.repeat(ordinal * 40),
    tokens: { body: `mark${number}x${revision} chunk${ordinal}` },
    embeddingHash: `${number}/${revision}/${ordinal}`,
  }))
  return sampleDocument(`doc-${number}.ts`, chunks, { contentHash: `${number}@${revision}`, time: revision })
}

const vectorOf = (number, revision, ordinal) => {
  const values = Array.from({ length: DIMENSIONS }, (_, at) =>
    Math.sin(number * 31 + revision * 7 + ordinal * 3 + at),
  )
  const length = Math.hypot(...values)
  return Float32Array.from(values, value => value / length)
}

export const vectorsOf = ({ document, chunks }) => {
  const [number, revision] = document.contentHash.split('@').map(Number)
  const vectors = new Map(
    chunks.map(({ embeddingHash }, ordinal) => [embeddingHash, vectorOf(number, revision, ordinal)]),
  )
  return { embedderId: 'm', dimensions: DIMENSIONS, vectors }
}

/** The revision of each document, and everything that is not of one piece. */
export const inspect = async reader => {
  const revisions = {}
  const faults = []
  for (const [path, { contentHash }] of await reader.known('code')) {
    const [number, revision] = contentHash.split('@').map(Number)
    revisions[path] = revision
    const expected = versionOf(number, revision)
    const chunks = await reader.chunksOf(path)
    if (
      JSON.stringify(chunks.map(({ text }) => text)) !==
      JSON.stringify(expected.chunks.map(({ text }) => text))
    ) {
      faults.push(
        `${path} is not whole: ${chunks.length} of ${expected.chunks.length} chunks at revision ${revision}`,
      )
    }
    const terms = [{ token: `mark${number}x${revision}`, weight: 1 }]
    const found = await reader.matchTerms(terms, plainScoring({ body: 1 }), {}, 100)
    if (found.length !== chunks.length)
      faults.push(`${path}: ${found.length} of ${chunks.length} chunks are searchable`)
    const vectors = await reader.vectors(
      'm',
      chunks.map(({ id }) => id),
    )
    if (vectors.size !== chunks.length)
      faults.push(`${path}: ${vectors.size} of ${chunks.length} chunks have a vector`)
  }
  return { revisions, faults }
}
