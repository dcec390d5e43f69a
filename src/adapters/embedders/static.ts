/** Embeds text without a model: the sum of one stored vector for each token. Far weaker than a transformer and a hundred
 * times quicker, so there are vectors in the first second, offline. `scripts/distil-static-table.ts` makes the table. */

import { readFile } from 'node:fs/promises'
import { QuarryError } from '../../core/errors.js'
import type { Embedder } from '../../core/ports.js'
import { unitVector } from '../onnx/pooling.js'
import { searchedVocabulary } from '../onnx/searched-vocabulary.js'
import { wordPieces } from '../onnx/wordpiece.js'
import { decodeTable, tableRevision } from './static-table.js'

export interface StaticTableFile {
  readonly path: string | URL
  readonly dimensions: number
  /** The start of the hash in its header; another file under the same name is refused. */
  readonly revision: string
}

/** The table of this package; the script that makes a new one prints this line. */
const shippedTable: StaticTableFile = {
  path: new URL('../../../assets/static-table.bin', import.meta.url),
  dimensions: 128,
  revision: 'd57b2a28',
}

const MOST_TOKENS = 512
/** Tokens between two looks at the clock of others: the event loop is free again after a few milliseconds. */
const TEXTS_AT_ONCE = 16

export function staticEmbedder(table: StaticTableFile = shippedTable): Embedder {
  const { dimensions, revision } = table
  let opened: Promise<(text: string) => Float32Array | null> | undefined

  const embed: Embedder['embed'] = async (texts, _role, signal) => {
    opened ??= open(table)
    const vectorOf = await opened
    const vectors: (Float32Array | null)[] = []
    for (const text of texts) {
      if (vectors.length % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) await new Promise(setImmediate)
      if (signal?.aborted) throw new QuarryError('CANCELLED', 'The work was cancelled')
      vectors.push(vectorOf(text))
    }
    return vectors
  }
  return { id: `static-${dimensions}/${revision}`, dimensions, embed, close: async () => {} }
}

async function open(table: StaticTableFile): Promise<(text: string) => Float32Array | null> {
  const file = await readFile(table.path).catch((cause: unknown) => {
    throw new QuarryError('MODEL_MISSING', 'The static table of this package is missing', {
      hint: 'npm install -g quarry',
      cause,
    })
  })
  const { dimensions, vocabulary, scales, rows } = decodeTable(file)
  if (dimensions !== table.dimensions || tableRevision(file) !== table.revision)
    throw new QuarryError('MODEL_DAMAGED', 'The static table is not the one of this version', {
      hint: 'npm install -g quarry',
    })
  const { encode } = wordPieces(searchedVocabulary(vocabulary))

  return text => {
    const sum = new Float32Array(dimensions)
    for (const id of encode(splitCamelCase(text), MOST_TOKENS)) {
      const scale = scales[id] as number
      const start = id * dimensions
      for (let column = 0; column < dimensions; column++)
        sum[column] = (sum[column] as number) + scale * (rows[start + column] as number)
    }
    return unitVector(sum)
  }
}

/** The vocabulary is of words: `getUserName` would fall into meaningless pieces. */
export const splitCamelCase = (text: string) => text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ')
