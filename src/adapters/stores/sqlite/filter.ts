/** A filter as the set of chunks it allows, so that lanes can narrow before they cut off. */

import type { ChunkFilter } from '../../../core/types.js'
import { compileGlobs } from '../../../text/glob.js'
import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'

/** By chunk id, 1 for the allowed ones; null when nothing is narrowed. An empty list narrows as little as an absent one. */
export const allowedChunks = (database: Database, filter: ChunkFilter): Uint8Array | null => {
  const { since, until } = filter
  const kinds = listOrNull(filter.kinds)
  const languages = listOrNull(filter.languages)
  const paths = filter.paths ?? []
  if (
    kinds === null &&
    languages === null &&
    paths.length === 0 &&
    since === undefined &&
    until === undefined
  )
    return null
  const allows = compileGlobs(paths)
  const documents = database.all<{ id: number; path: string }>(
    `SELECT id, path FROM documents
     WHERE (?1 IS NULL OR kind IN (SELECT value FROM json_each(?1)))
       AND (?2 IS NULL OR language IN (SELECT value FROM json_each(?2)))
       AND (?3 IS NULL OR time >= ?3)
       AND (?4 IS NULL OR time <= ?4)`,
    kinds,
    languages,
    since ?? null,
    until ?? null,
  )
  const wanted = new Set(documents.filter(({ path }) => allows(path)).map(({ id }) => id))
  const lists = database.get<{ ids: string | null; documents: string | null; last: number | null }>(
    `SELECT group_concat(id) AS ids, group_concat(document) AS documents, max(id) AS last
     FROM chunks NOT INDEXED`,
  )
  const ids = parseNumbers(lists?.ids ?? null)
  const owners = parseNumbers(lists?.documents ?? null)
  const allowed = new Uint8Array((lists?.last ?? 0) + 1)
  for (let at = 0; at < ids.length; at++) if (wanted.has(owners[at]!)) allowed[ids[at]!] = 1
  return allowed
}

const listOrNull = (values: readonly string[] | undefined): string | null =>
  values === undefined || values.length === 0 ? null : JSON.stringify(values)
