/** The index file behind the back of the store. */

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

export const indexFile = (directory: string): string => join(directory, 'index.sqlite')

/** One statement at a time, without leaving a prepared one behind. */
export const execute = (directory: string, sql: string): void => {
  const connection = new DatabaseSync(indexFile(directory))
  connection.exec(sql)
  connection.close()
}

export const select = (directory: string, sql: string): Record<string, unknown>[] => {
  const connection = new DatabaseSync(indexFile(directory), { readOnly: true })
  const rows = connection.prepare(sql).all()
  connection.close()
  return rows.map(row => ({ ...row }))
}
