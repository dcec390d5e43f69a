/** Brings a notebook of an older format up to date: first a backup beside it, then every step in one transaction. */

import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { sweepAbandoned } from '../sqlite/create-file.js'
import type { Format } from './schema.js'

export const migrate = async (
  connection: DatabaseSyncInstance,
  path: string,
  { version, steps }: Format,
): Promise<void> => {
  const found = versionOf(connection)
  if (found >= version) return
  backUp(connection, path, found)
  connection.exec('BEGIN EXCLUSIVE')
  try {
    // Another process may have been first while this one waited.
    const now = versionOf(connection)
    for (const { to, sql } of steps) if (to > now && to <= version) connection.exec(sql)
    connection.exec(`PRAGMA user_version = ${version}; COMMIT`)
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

/** Under its own name only when it is whole: a backup that was cut short is no backup. */
const backUp = (connection: DatabaseSyncInstance, path: string, version: number): void => {
  const backup = `${path}.format-${version}.backup`
  if (existsSync(backup)) return
  sweepAbandoned(path)
  const draft = `${backup}.${process.pid}.new`
  rmSync(draft, { force: true })
  connection.prepare('VACUUM INTO ?').run(draft)
  chmodSync(draft, 0o600)
  renameSync(draft, backup)
}

export const versionOf = (connection: DatabaseSyncInstance): number =>
  (connection.prepare('SELECT user_version FROM pragma_user_version').get() as { user_version: number })
    .user_version
