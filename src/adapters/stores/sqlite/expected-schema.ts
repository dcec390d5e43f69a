/** What the tables of a whole index look like, taken from one that was just made. */

import { loadSqlite } from '../../sqlite/connect.js'
import { schema } from './schema.js'

export const SCHEMA_ENTRIES = `SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS entry FROM sqlite_schema`

let expected: Promise<readonly string[]> | undefined

export const expectedSchema = (): Promise<readonly string[]> => {
  expected ??= makeSchema()
  return expected
}

const makeSchema = async (): Promise<readonly string[]> => {
  const { DatabaseSync } = await loadSqlite()
  const connection = new DatabaseSync(':memory:')
  try {
    connection.exec(schema)
    return connection
      .prepare(SCHEMA_ENTRIES)
      .all()
      .map(({ entry }: { entry: string }) => entry)
  } finally {
    connection.close()
  }
}
