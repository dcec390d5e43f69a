/**
 * Keeps the stages that read the index on one state of it. A lane hands out ids and a later stage reads their text: when an
 * indexer replaces a file in between, its chunks have other ids, and the best hit would be missing or be another text.
 */

import type { IndexReader } from '../core/ports.js'

/** Commits come further apart than an answer takes; an indexer that is quicker than that is not waited for. */
const MOST_TRIES = 4

export const onOneState = async <Result>(
  index: Pick<IndexReader, 'generation'>,
  read: () => Promise<Result>,
): Promise<Result> => {
  let before = await index.generation()
  for (let attempt = 1; ; attempt++) {
    const result = await read()
    const after = await index.generation()
    if (after === before || attempt === MOST_TRIES) return result
    before = after
  }
}
