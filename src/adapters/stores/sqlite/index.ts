/** The store of one index in one SQLite file. The map of this folder is docs/decisions/0001-sqlite-store.md. */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { QuarryError } from '../../../core/errors.js'
import type { Store } from '../../../core/ports.js'
import { checkIndex } from './check.js'
import { indexFile } from './connect.js'
import { translate } from './failures.js'
import { closeIdle } from './idle-databases.js'
import { openForReading } from './open-database.js'
import { openReader } from './reader.js'
import { openWriter } from './writer.js'
import { refuseWhileHeld } from './writer-lock.js'

export { dump } from './dump.js'

export interface SqliteStoreOptions {
  /** Where `index.sqlite` lies; made when it is missing, readable by its owner only. */
  readonly directory: string
  /** What the index is of. */
  readonly root: string
  readonly now?: () => number
}

export const sqliteStore = ({ directory, root, now = Date.now }: SqliteStoreOptions): Store => ({
  openReader: () => openReader(directory, root),
  openWriter: identity => openWriter(directory, identity, now),
  check: deep => checkIndex(directory, deep),
  refuseWhileWriting: () => refuseWhileWriting(directory, now()),
  purge: async () => {
    await refuseWhileWriting(directory, now())
    if (!existsSync(directory)) return
    closeIdle(indexFile(directory))
    // The log goes before its index: left alone, it would be replayed into the next one.
    const files = readdirSync(directory).filter(name => name.startsWith('index.sqlite'))
    try {
      for (const name of files.sort().reverse()) rmSync(join(directory, name), { force: true })
    } catch (error) {
      throw translate(error, indexFile(directory))
    }
  },
})

const refuseWhileWriting = async (directory: string, now: number): Promise<void> => {
  try {
    const database = await openForReading(directory)
    try {
      database.read(() => refuseWhileHeld(database, now))
    } finally {
      database.close()
    }
  } catch (error) {
    // An index that cannot be opened has no writer, and must be possible to throw away.
    if (error instanceof QuarryError && error.code === 'INDEX_LOCKED') throw error
  }
}
