/**
 * Of the chunks that can be embedded at all, the share that is, for each embedder. Counting joins every chunk with its vector,
 * which takes longer than an answer; but ids go up and vectors stay until they are swept, so how far an embedder has come
 * without a gap is found once, and from there on only what is new is counted.
 */

import type { Database } from './database.js'

export interface VectorShares {
  /** `sweep` is the generation of the last removal. */
  count(sweep: number): Record<string, number>
}

export const vectorShares = (database: Database): VectorShares => {
  /** By embedder: every embedding up to this id has a vector. */
  const gapless = new Map<number, number>()
  let swept: number | undefined

  const share = (embedder: number, embeddable: number): number => {
    const from = gapless.get(embedder) ?? 0
    const upTo = gaplessUpTo(database, embedder, from)
    if (upTo === null) return joined(database, embedder, embeddable)
    gapless.set(embedder, upTo)
    const missing = database.value<number>('SELECT count(*) FROM chunks WHERE embedding > ?', upTo)
    return embeddable === 0 ? 1 : (embeddable - missing) / embeddable
  }

  return {
    count(sweep) {
      if (sweep !== swept) gapless.clear()
      swept = sweep
      const embeddable = database.value<number>('SELECT count(*) FROM chunks WHERE embedding IS NOT NULL')
      const embedders = database.all<{ id: number; name: string }>(
        'SELECT id, name FROM embedders ORDER BY name',
      )
      return Object.fromEntries(embedders.map(({ id, name }) => [name, share(id, embeddable)]))
    },
  }
}

/** Null where some are left out, or cannot be embedded. */
const gaplessUpTo = (database: Database, embedder: number, from: number): number | null => {
  const [last, done, usable] = database.tuples<[last: number | null, done: number, usable: number | null]>(
    'SELECT max(embedding), count(*), sum(usable) FROM embedded WHERE embedder = ? AND embedding > ?',
    ...[embedder, from],
  )[0]!
  if (last === null) return from
  if (usable !== done) return null
  const all = database.value<number>('SELECT count(*) FROM embeddings WHERE id > ? AND id <= ?', from, last)
  return all === done ? last : null
}

const joined = (database: Database, embedder: number, embeddable: number): number => {
  const { done, hopeless } = database.get<{ done: number; hopeless: number }>(
    `SELECT coalesce(sum(usable), 0) AS done, coalesce(sum(NOT usable), 0) AS hopeless
     FROM embedded JOIN chunks ON chunks.embedding = embedded.embedding WHERE embedded.embedder = ?`,
    embedder,
  )!
  return embeddable === hopeless ? 1 : done / (embeddable - hopeless)
}
