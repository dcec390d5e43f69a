/** Connections to an index, with the settings that every one of them has. */

import { join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { connectTo, type Mode } from '../../sqlite/connect.js'
import { translate } from './failures.js'

export const indexFile = (directory: string): string => join(directory, 'index.sqlite')

export const BUSY_MILLISECONDS = 10_000

/** NORMAL: an index can be made again, so a power cut may cost the last commits. */
const PRAGMAS = `
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16000;
  PRAGMA synchronous = NORMAL;
  PRAGMA wal_autocheckpoint = 4000;
`

export const connect = async (path: string, mode: Mode): Promise<DatabaseSyncInstance> => {
  try {
    return await connectTo(path, mode, { busyMilliseconds: BUSY_MILLISECONDS, pragmas: PRAGMAS })
  } catch (error) {
    throw translate(error, path)
  }
}
