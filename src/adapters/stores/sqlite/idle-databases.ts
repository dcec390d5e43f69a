/**
 * Connections between two uses. The driver cannot end a prepared statement before the garbage collector does, and until then a
 * closed connection keeps its files open; a server that opens and closes an index all day would run out of file handles. So a
 * connection that is done with waits here for the next use, one for each file and mode.
 */

import { statSync } from 'node:fs'
import type { Database } from './database.js'

interface Idle {
  readonly database: Database
  readonly file: string
}

const idle = new Map<string, Idle>()
const MOST_IDLE = 8

/** The same database, which does not close but waits. */
export const closingToIdle = (database: Database, mode: string): Database => {
  const key = `${mode} ${database.path}`
  const file = fileIdentity(database.path)
  return {
    ...database,
    close: () => {
      if (idle.has(key) || idle.size >= MOST_IDLE) database.close()
      else idle.set(key, { database, file })
    },
  }
}

/** A waiting connection to the file that is there now. */
export const takeIdle = (path: string, mode: string): Database | undefined => {
  const key = `${mode} ${path}`
  const found = idle.get(key)
  idle.delete(key)
  if (found === undefined || found.file === fileIdentity(path)) return found?.database
  found.database.close()
  return undefined
}

export const closeIdle = (path: string): void => {
  for (const mode of ['mode=ro', 'mode=rw']) takeIdle(path, mode)?.close()
}

/** Another one when the file was deleted and made again; empty when there is none. */
export const fileIdentity = (path: string): string => {
  const status = statSync(path, { throwIfNoEntry: false })
  return status === undefined ? '' : `${status.dev}/${status.ino}`
}
