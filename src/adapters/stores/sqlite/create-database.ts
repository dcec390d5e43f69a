/** A new, empty index. Whole or not there at all, however many processes start at once and whenever they are killed. */

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect, indexFile } from './connect.js'
import { translate } from './failures.js'
import { applicationId, formatVersion, schema } from './schema.js'

/** A half-made index that its maker left behind; a younger one may still be in the making. */
const ABANDONED_MILLISECONDS = 600_000

/**
 * Builds the index under another name and links it into place: whoever looks sees a whole index or none, and of two
 * processes that start at the same time one wins and the other finds the winner's.
 */
export const createDatabase = async (directory: string, firstRows: string): Promise<void> => {
  const path = indexFile(directory)
  sweepAbandoned(directory)
  const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    const connection = await connect(draft, 'mode=rw')
    try {
      connection.exec('PRAGMA journal_mode = WAL')
      // No prepared statements: the driver cannot end them, and with them a connection outlives its close().
      connection.exec(`
        BEGIN EXCLUSIVE; ${schema}; ${firstRows};
        PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}; COMMIT`)
    } finally {
      connection.close()
    }
    if (existsSync(`${draft}-wal`)) throw new Error('the new index could not be closed')
    setAsideOrphanedLog(path)
    publish(draft, path)
  } catch (error) {
    throw translate(error, path)
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}

const publish = (draft: string, path: string): void => {
  try {
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // File systems without hard links: a rename could replace an index that came up in between, so look once more.
    if (!existsSync(path)) renameSync(draft, path)
  }
}

/** The log of a deleted index would be replayed into the new one. */
const setAsideOrphanedLog = (path: string): void => {
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(path + suffix) && !existsSync(path)) renameSync(path + suffix, `${path}${suffix}.orphaned`)
  }
}

const sweepAbandoned = (directory: string): void => {
  for (const name of readdirSync(directory)) {
    if (!/^index\.sqlite\..*\.new(-wal|-shm)?$/.test(name)) continue
    const file = join(directory, name)
    if (Date.now() - statSync(file).mtimeMs > ABANDONED_MILLISECONDS) rmSync(file, { force: true })
  }
}
