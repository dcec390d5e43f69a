/** Loads SQLite on first use and opens connections. What index and notebook have in common; what differs, they say themselves. */

import { pathToFileURL } from 'node:url'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { QuarryError } from '../../core/errors.js'

/** As SQLite spells it in file addresses; `immutable` is for directories that may not be written. */
export type Mode = 'mode=ro' | 'mode=rw' | 'immutable=1'

export interface Connecting {
  readonly busyMilliseconds: number
  /** Beside those that every connection has. */
  readonly pragmas: string
}

/** Nothing in the file is trusted to run, and no page of it is mapped: other processes write to it too. */
export const connectTo = async (
  path: string,
  mode: Mode,
  { busyMilliseconds, pragmas }: Connecting,
): Promise<DatabaseSyncInstance> => {
  const { DatabaseSync } = await loadSqlite()
  const url = pathToFileURL(path)
  url.search = mode
  const connection = new DatabaseSync(url, {
    readOnly: mode !== 'mode=rw',
    timeout: busyMilliseconds,
    defensive: true,
  })
  connection.exec(
    `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; ${pragmas}`,
  )
  return connection
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

/** Before this version SQLite could damage a WAL database when a checkpoint met a reset of the log. */
const OLDEST = '3.51.3'

export const refuseOldSqlite = (version: string): void => {
  if (!isOlder(version, OLDEST)) return
  throw new QuarryError('DEPENDENCY_MISSING', `SQLite ${version} is too old, ${OLDEST} is needed`, {
    hint: 'npm install quarry',
  })
}

const isOlder = (version: string, oldest: string): boolean => {
  const [have, need] = [version, oldest].map(text => text.split('.').map(Number)) as [number[], number[]]
  const position = need.findIndex((part, index) => part !== (have[index] ?? 0))
  return position >= 0 && (have[position] ?? 0) < need[position]!
}
