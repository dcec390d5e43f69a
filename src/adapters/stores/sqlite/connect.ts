/** Loads SQLite on first use and opens a connection with the settings that every connection has. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { QuarryError } from '../../../core/errors.js'
import { translate } from './failures.js'

export const indexFile = (directory: string): string => join(directory, 'index.sqlite')

export const BUSY_MILLISECONDS = 10_000

/** As SQLite spells it in file addresses; `immutable` is for directories that may not be written. */
export type Mode = 'mode=ro' | 'mode=rw' | 'immutable=1'

export const connect = async (path: string, mode: Mode): Promise<DatabaseSyncInstance> => {
  const { DatabaseSync } = await loadSqlite()
  try {
    const url = pathToFileURL(path)
    url.search = mode
    const connection = new DatabaseSync(url, {
      readOnly: mode !== 'mode=rw',
      timeout: BUSY_MILLISECONDS,
      defensive: true,
    })
    connection.exec(`
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA foreign_keys = ON;
      PRAGMA mmap_size = 0;
      PRAGMA cache_size = -16000;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
    `)
    return connection
  } catch (error) {
    throw translate(error, path)
  }
}

export const loadSqlite = async (): Promise<typeof import('@photostructure/sqlite')> => {
  try {
    return await import('@photostructure/sqlite')
  } catch (cause) {
    throw new QuarryError('DEPENDENCY_MISSING', 'SQLite cannot be loaded on this machine', {
      hint: 'npm install --include=optional quarry',
      cause,
    })
  }
}
