/**
 * A new database file: built under another name and linked into place, so that whoever looks sees a whole one or none, however many
 * processes start at once and whenever they are killed.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

export interface NewFile {
  readonly path: string
  connect(path: string): Promise<DatabaseSyncInstance>
  /** Tables and first rows; all of it or nothing. */
  readonly statements: string
  readonly applicationId: number
  readonly version: number
}

export const createFile = async ({ path, connect, ...file }: NewFile): Promise<void> => {
  sweepAbandoned(path)
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    const connection = await connect(draft)
    try {
      connection.exec('PRAGMA journal_mode = WAL')
      // No prepared statements: the driver cannot end them, and with them a connection outlives its close().
      connection.exec(`
        BEGIN EXCLUSIVE; ${file.statements};
        PRAGMA application_id = ${file.applicationId}; PRAGMA user_version = ${file.version}; COMMIT`)
      // Closing does the same, but keeps to itself that there is no room.
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      connection.close()
    }
    if (existsSync(`${draft}-wal`)) throw new Error('the new file could not be closed')
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
    // File systems without hard links: a rename could replace a file that came up in between, so look once more.
    if (!existsSync(path)) renameSync(draft, path)
  }
}

/** The log of a file that is gone would be replayed into the new one. It may hold notes: an earlier one is never written over. */
const setAsideOrphanedLog = (path: string): void => {
  for (const suffix of ['-wal', '-shm']) {
    if (!existsSync(path + suffix) || existsSync(path)) continue
    const aside = `${path}${suffix}.orphaned`
    renameSync(path + suffix, existsSync(aside) ? `${aside}-${Date.now()}` : aside)
  }
}

/** A draft that its maker left behind; a younger one may still be in the making. */
const ABANDONED_MILLISECONDS = 600_000

/** Never the file itself, whatever is kept beside it. */
export const sweepAbandoned = (path: string): void => {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.new(?:-wal|-shm|-journal)?$/.test(name)) continue
    const file = join(dirname(path), name)
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (Date.now() - made > ABANDONED_MILLISECONDS) rmSync(file, { force: true })
  }
}
