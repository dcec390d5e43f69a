/**
 * From a directory to an open, checked connection. Never deletes anything, and never opens the file itself: closing it would
 * drop the locks that SQLite holds on it for other connections of this process.
 */

import { chmodSync, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { QuarryError } from '../../../core/errors.js'
import { type Mode, refuseOldSqlite } from '../../sqlite/connect.js'
import { mayNotWrite } from '../../sqlite/failures.js'
import { connect, indexFile } from './connect.js'
import { createDatabase } from './create-database.js'
import { type Database, wrapConnection } from './database.js'
import { damaged, translate } from './failures.js'
import { closingToIdle, takeIdle } from './idle-databases.js'
import { refuseNetworkFileSystem } from './network-file-system.js'
import { applicationId, formatVersion } from './schema.js'

export const openForReading = async (directory: string): Promise<Database> => {
  const path = indexFile(directory)
  if (!existsSync(path)) {
    throw new QuarryError('INDEX_MISSING', `There is no index in ${directory} yet`, { hint: 'quarry index' })
  }
  try {
    return await openExisting(path, 'mode=ro')
  } catch (error) {
    // In a directory that may not be written SQLite cannot make its -shm file; without a log it can do without.
    const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
    if (!mayNotWrite((error as QuarryError).cause) || hasLog) throw error
    return await openExisting(path, 'immutable=1')
  }
}

/** Makes the directory and an empty index where there is none; `firstRows` is the SQL that a new one begins with. */
export const openForWriting = async (directory: string, firstRows: string): Promise<Database> => {
  const path = indexFile(directory)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    // Only ever narrower: who made a directory read-only meant it.
    const { mode } = statSync(directory)
    if (mode & 0o077) chmodSync(directory, mode & 0o700)
    refuseNetworkFileSystem(directory, statfsSync(directory).type)
  } catch (error) {
    throw translate(error, path)
  }
  if (!existsSync(path)) await createDatabase(directory, firstRows)
  return await openExisting(path, 'mode=rw')
}

const openExisting = async (path: string, mode: Mode): Promise<Database> => {
  if (statSync(path).size === 0) throw damaged(path, 'the file is empty')
  const waiting = takeIdle(path, mode)
  const database = waiting ?? wrapConnection(await connect(path, mode), path)
  try {
    checkIdentity(database)
    return closingToIdle(database, mode)
  } catch (error) {
    database.close()
    throw translate(error, path)
  }
}

const checkIdentity = (database: Database): void => {
  const { path } = database
  refuseOldSqlite(database.value<string>('SELECT sqlite_version()'))
  if (database.value<number>('PRAGMA application_id') !== applicationId) {
    throw damaged(path, 'the file belongs to another program')
  }
  const format = database.value<number>('PRAGMA user_version')
  if (format > formatVersion) {
    throw new QuarryError(
      'INDEX_TOO_NEW',
      `The index ${path} has format ${format}, this Quarry knows ${formatVersion}`,
      {
        hint: 'use the newer Quarry that wrote it',
      },
    )
  }
  if (format < formatVersion) {
    throw new QuarryError('INDEX_OUTDATED', `The index ${path} has the old format ${format}`, {
      hint: 'quarry index --rebuild',
    })
  }
}
