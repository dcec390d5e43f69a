/** Two ways to count tokens: four bytes each, as the server keeps its budget, and the WordPiece vocabulary of bge-small. */

import { join } from 'node:path'
import { loadTokenizer } from '#dist/adapters/onnx/tokenizer.js'
import { tokensOf } from '#dist/mcp/budget.js'

export interface Counter {
  readonly name: string
  count(text: string): number
}

/** WordPiece counts every bracket and dot and no blanks: on code it is the dearer of the two. */
export const tokenCounters = async (home: string): Promise<readonly Counter[]> => {
  const tokenizer = await loadTokenizer(join(home, 'cache/models/bge-small-en-v1.5/tokenizer.json'))
  return [
    {
      name: 'wordpiece',
      count: text => tokenizer.encode(text, Number.MAX_SAFE_INTEGER).ids.length - tokenizer.extra,
    },
    { name: 'bytes/4', count: tokensOf },
  ]
}
