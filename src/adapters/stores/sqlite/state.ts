/** The one row that says what the index is of and how often it has changed, and the counts behind `IndexState`. */

import type { IndexState } from '../../../core/types.js'
import { checksum } from './checksum.js'
import type { Database } from './database.js'

export interface StateRow {
  readonly root: string
  readonly chunker: string
  readonly finished_at: number | null
  /** Goes up with every change of documents. */
  readonly text_generation: number
  /** Goes up when vectors are added. */
  readonly vector_generation: number
  /** Goes up when vectors are moved or removed: what was read before is void. */
  readonly sweep_generation: number
}

export const readState = (database: Database): StateRow => {
  const row = database.get<StateRow>(
    'SELECT root, chunker, finished_at, text_generation, vector_generation, sweep_generation FROM state',
  )
  // Creation writes the row together with the tables, so only damage can take it away.
  if (row === undefined) throw Object.assign(new Error('the state row is missing'), { errcode: 11 })
  return row
}

export const writeState = (database: Database, changes: Partial<StateRow>): void => {
  const state = { ...readState(database), ...changes }
  replaceState(database, state)
}

/** The SQL that makes the row of a new index. */
export const firstState = (root: string, chunker: string): string => {
  const first = {
    root,
    chunker,
    finished_at: null,
    text_generation: 1,
    vector_generation: 1,
    sweep_generation: 1,
  }
  return `INSERT INTO state VALUES (1, ${quoted(root)}, ${quoted(chunker)}, NULL, 1, 1, 1, ${stateChecksum(first)})`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const stateChecksum = (state: StateRow): number =>
  checksum(
    state.root,
    state.chunker,
    state.finished_at,
    state.text_generation,
    state.vector_generation,
    state.sweep_generation,
  )

const replaceState = (database: Database, state: StateRow): void => {
  database.run(
    `REPLACE INTO state
       (id, root, chunker, finished_at, text_generation, vector_generation, sweep_generation, checksum)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
    state.root,
    state.chunker,
    state.finished_at,
    state.text_generation,
    state.vector_generation,
    state.sweep_generation,
    stateChecksum(state),
  )
}

/** Of the chunks that can be embedded at all, the share that is, for each embedder. */
export const countState = (database: Database): IndexState => {
  const chunks = database.value<number>('SELECT count(*) FROM chunks')
  const shares = database
    .all<{ id: number; name: string }>('SELECT id, name FROM embedders ORDER BY name')
    .map(({ id, name }): [string, number] => {
      const { done, hopeless } = database.get<{ done: number; hopeless: number }>(
        `SELECT coalesce(sum(usable), 0) AS done, coalesce(sum(NOT usable), 0) AS hopeless
         FROM embedded JOIN chunks ON chunks.embedding = embedded.embedding WHERE embedded.embedder = ?`,
        id,
      )!
      return [name, chunks === hopeless ? 1 : done / (chunks - hopeless)]
    })
  const finishedAt = readState(database).finished_at
  return {
    documents: database.value<number>('SELECT count(*) FROM documents'),
    chunks,
    vectors: Object.fromEntries(shares),
    indexedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  }
}
