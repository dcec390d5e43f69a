/**
 * From a directory to an open, checked connection. A new notebook is built under another name and linked into place: whoever
 * looks sees a whole one or none. Nothing here deletes a notebook, whatever state it is in.
 */

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { QuarryError } from '../../core/errors.js'
import { networkFileSystem } from '../../text/network-file-systems.js'
import { damaged, resultCode, translate } from './failures.js'
import { migrate, sweepAbandoned, versionOf } from './migrate.js'
import { applicationId, type Format, oldestSqlite, schema } from './schema.js'

export const notebookFile = (directory: string): string => join(directory, 'notebook.sqlite')

const BUSY_MILLISECONDS = 30_000
const CANTOPEN = 14
const READONLY = 8

/** As SQLite spells it in file addresses; `immutable` is for directories that may not be written. */
type Mode = 'mode=ro' | 'mode=rw' | 'immutable=1'

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
    const code = resultCode(cause ?? error)
    const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
    if (code !== CANTOPEN && code !== READONLY) throw translate(error, path)
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

export const connect = async (path: string, mode: Mode): Promise<DatabaseSyncInstance> => {
  const { DatabaseSync } = await loadSqlite()
  const url = pathToFileURL(path)
  url.search = mode
  const connection = new DatabaseSync(url, {
    readOnly: mode !== 'mode=rw',
    timeout: BUSY_MILLISECONDS,
    defensive: true,
  })
  // FULL: acknowledged means on the disk. secure_delete: what is forgotten leaves no trace in the file.
  connection.exec(`
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA mmap_size = 0;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
  `)
  return connection
}

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

const create = async (directory: string, { version }: Format): Promise<void> => {
  const path = notebookFile(directory)
  sweepAbandoned(directory)
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    const connection = await connect(draft, 'mode=rw')
    try {
      const identity = randomBytes(8).toString('hex')
      connection.exec('PRAGMA journal_mode = WAL')
      connection.exec(`
        BEGIN EXCLUSIVE; ${schema}; INSERT INTO state VALUES (1, '${identity}', 0);
        PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}; COMMIT`)
    } finally {
      connection.close()
    }
    setAsideOrphanedLog(path)
    publish(draft, path)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}

/** Of two processes that start at the same time one wins and the other finds the winner's. */
const publish = (draft: string, path: string): void => {
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    // File systems without hard links: a rename could replace a notebook that came up in between, so look once more.
    if (!existsSync(path)) renameSync(draft, path)
  }
}

/** The log of a notebook that someone moved away would be replayed into the new one. */
const setAsideOrphanedLog = (path: string): void => {
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(path + suffix) && !existsSync(path))
      renameSync(path + suffix, `${path}${suffix}.orphaned-${Date.now()}`)
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
  const version = onlyValue<string>(connection, 'SELECT sqlite_version() AS value')
  if (isOlder(version, oldestSqlite))
    throw new QuarryError('DEPENDENCY_MISSING', `SQLite ${version} is too old, ${oldestSqlite} is needed`, {
      hint: 'npm install quarry',
    })
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
      { hint: 'npm install -g quarry@latest' },
    )
}

const onlyValue = <Value>(connection: DatabaseSyncInstance, sql: string): Value =>
  (connection.prepare(sql).get() as { value: Value }).value

const isOlder = (version: string, oldest: string): boolean => {
  const [have, need] = [version, oldest].map(text => text.split('.').map(Number)) as [number[], number[]]
  const position = need.findIndex((part, index) => part !== (have[index] ?? 0))
  return position >= 0 && (have[position] ?? 0) < need[position]!
}

const loadSqlite = async (): Promise<typeof import('@photostructure/sqlite')> => {
  try {
    return await import('@photostructure/sqlite')
  } catch (cause) {
    throw new QuarryError('DEPENDENCY_MISSING', 'SQLite cannot be loaded on this machine', {
      hint: 'npm install --include=optional quarry',
      cause,
    })
  }
}
