/** The one row that says what the index is of and how often it has changed, and the counts behind `IndexState`. */

import type { IndexState } from '../../../core/answers.js'
import { QuarryError } from '../../../core/errors.js'
import { checksum } from './checksum.js'
import type { Database } from './database.js'
import { damaged } from './failures.js'
import type { VectorShares } from './vector-shares.js'

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
  /** The highest id a chunk ever had: none is given twice, or an id kept between two calls could mean another chunk. */
  readonly last_chunk: number
  /** What the source was called at the end of the last complete run. */
  readonly source_stamp: string | null
}

export const STATE_COLUMNS = [
  'root',
  'chunker',
  'finished_at',
  'text_generation',
  'vector_generation',
  'sweep_generation',
  'last_chunk',
  'source_stamp',
] as const satisfies readonly (keyof StateRow)[]

export const readState = (database: Database): StateRow => {
  const row = database.get<StateRow>(`SELECT ${STATE_COLUMNS.join(', ')} FROM state`)
  // Creation writes the row together with the tables, so only damage can take it away.
  if (row === undefined) throw damaged(database.path, 'the state row is missing')
  return row
}

export const writeState = (database: Database, changes: Partial<StateRow>): void => {
  const state = { ...readState(database), ...changes }
  const values = STATE_COLUMNS.map(column => state[column])
  database.run(
    `UPDATE state SET ${STATE_COLUMNS.map(column => `${column} = ?`).join(', ')}, checksum = ?`,
    ...values,
    checksum(...values),
  )
}

/** The SQL that makes the row of a new index. */
export const firstState = (root: string, chunker: string): string => {
  const values = [root, chunker, null, 1, 1, 1, 0, null]
  const literals = values.map(value =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : (value ?? 'NULL'),
  )
  return `INSERT INTO state (id, ${STATE_COLUMNS.join(', ')}, checksum) VALUES (1, ${literals.join(', ')}, ${checksum(...values)})`
}

export const refuseOtherRoot = (state: StateRow, root: string, path: string): void => {
  if (state.root === root) return
  throw new QuarryError('INDEX_OUTDATED', `The index ${path} is of ${state.root}, not of ${root}`, {
    hint: 'quarry index --rebuild',
  })
}

export const countState = (database: Database, shares: VectorShares): IndexState => {
  const { finished_at: finishedAt, sweep_generation: sweep } = readState(database)
  return {
    documents: database.value<number>('SELECT count(*) FROM documents'),
    chunks: database.value<number>('SELECT count(*) FROM chunks'),
    vectors: shares.count(sweep),
    indexedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  }
}
