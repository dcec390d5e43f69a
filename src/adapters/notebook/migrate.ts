/** Brings a notebook of an older format up to date: first a backup beside it, then every step in one transaction. */

import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Format } from './schema.js'

const ABANDONED_MILLISECONDS = 600_000

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
  sweepAbandoned(dirname(path))
  const draft = `${backup}.${process.pid}.new`
  rmSync(draft, { force: true })
  connection.prepare('VACUUM INTO ?').run(draft)
  chmodSync(draft, 0o600)
  renameSync(draft, backup)
}

/** A half-made file that its maker left behind; a younger one may still be in the making. Never a notebook or a backup. */
export const sweepAbandoned = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    if (!/^notebook\.sqlite\..*\.new(?:-wal|-shm|-journal)?$/.test(name)) continue
    const file = join(directory, name)
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - made > ABANDONED_MILLISECONDS) rmSync(file, { force: true })
  }
}

export const versionOf = (connection: DatabaseSyncInstance): number =>
  (connection.prepare('SELECT user_version FROM pragma_user_version').get() as { user_version: number })
    .user_version
