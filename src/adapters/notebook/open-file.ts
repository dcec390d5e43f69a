/**
 * From a directory to an open, checked connection. Nothing here deletes a notebook, whatever state it is in.
 */

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { QuarryError } from '../../core/errors.js'
import { networkFileSystem } from '../../text/network-file-systems.js'
import { connectTo, type Mode, refuseOldSqlite } from '../sqlite/connect.js'
import { createFile } from '../sqlite/create-file.js'
import { mayNotWrite } from '../sqlite/failures.js'
import { damaged, translate } from './failures.js'
import { migrate, versionOf } from './migrate.js'
import { applicationId, type Format, schema } from './schema.js'

export const notebookFile = (directory: string): string => join(directory, 'notebook.sqlite')

const BUSY_MILLISECONDS = 30_000

export interface Opened {
  readonly connection: DatabaseSyncInstance
  readonly writes: boolean
}

/** Makes the directory and an empty notebook where there is none. */
export const openForWriting = async (directory: string, format: Format): Promise<Opened> => {
  const path = notebookFile(directory)
  try {
    makePrivate(directory)
    if (!existsSync(path)) await create(directory, format)
    return { connection: await openChecked(path, 'mode=rw', format), writes: true }
  } catch (error) {
    throw translate(error, path)
  }
}

/** For whoever only looks; a notebook of an older format is brought up to date first, if it may be written. */
export const openForReading = async (directory: string, format: Format): Promise<Opened> => {
  const path = notebookFile(directory)
  try {
    return { connection: await openChecked(path, 'mode=rw', format), writes: true }
  } catch (error) {
    const { cause } = translate(error, path)
    const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
    if (!mayNotWrite(cause ?? error)) throw translate(error, path)
    try {
      // In a directory that may not be written SQLite cannot make its -shm file; without a log it can do without.
      return {
        connection: await openChecked(path, hasLog ? 'mode=ro' : 'immutable=1', format),
        writes: false,
      }
    } catch (second) {
      throw translate(second, path)
    }
  }
}

/** FULL: acknowledged means on the disk. secure_delete: what is forgotten leaves no trace in the file. */
const PRAGMAS = 'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;'

export const connect = (path: string, mode: Mode): Promise<DatabaseSyncInstance> =>
  connectTo(path, mode, { busyMilliseconds: BUSY_MILLISECONDS, pragmas: PRAGMAS })

const makePrivate = (directory: string): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Only ever narrower: who made a directory read-only meant it.
  const { mode } = statSync(directory)
  if (mode & 0o077) chmodSync(directory, mode & 0o700)
  const network = networkFileSystem(statfsSync(directory).type)
  if (network === undefined) return
  throw new QuarryError(
    'BAD_PATH',
    `${directory} is on a network file system (${network}), where notes are not safe`,
    { hint: 'QUARRY_HOME=<a directory on a local disk>' },
  )
}

const create = (directory: string, { version }: Format): Promise<void> => {
  const identity = randomBytes(8).toString('hex')
  return createFile({
    ...{ path: notebookFile(directory), applicationId, version },
    connect: draft => connect(draft, 'mode=rw'),
    statements: `${schema}; INSERT INTO state VALUES (1, '${identity}', 0)`,
  })
}

const openChecked = async (path: string, mode: Mode, format: Format): Promise<DatabaseSyncInstance> => {
  if (statSync(path).size === 0) throw damaged(path, 'the file is empty')
  const connection = await connect(path, mode)
  try {
    checkIdentity(connection, path, format)
    await migrate(connection, path, format)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const checkIdentity = (connection: DatabaseSyncInstance, path: string, format: Format): void => {
  refuseOldSqlite(onlyValue<string>(connection, 'SELECT sqlite_version() AS value'))
  if (
    onlyValue<number>(connection, 'SELECT application_id AS value FROM pragma_application_id') !==
    applicationId
  )
    throw damaged(path, 'the file belongs to another program')
  const found = versionOf(connection)
  if (found > format.version)
    throw new QuarryError(
      'NOTES_TOO_NEW',
      `The notebook ${path} has format ${found}, this Quarry knows ${format.version}: it is left as it is`,
      { hint: 'use the newer Quarry that wrote it' },
    )
}

const onlyValue = <Value>(connection: DatabaseSyncInstance, sql: string): Value =>
  (connection.prepare(sql).get() as { value: Value }).value
