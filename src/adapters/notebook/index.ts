/** The notebook: one SQLite file that keeps the notes themselves. What is searched is made from it and can be made again. */

import { existsSync, statSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Notebook } from '../../core/notes.js'
import { checkNotebook, salvageNotes } from './check.js'
import { translate } from './failures.js'
import { notebookFile, type Opened, openForReading, openForWriting } from './open-file.js'
import { listNotes, pageOf, stampOf, stampsOf } from './page.js'
import { format as currentFormat, type Format } from './schema.js'
import { everySpeaker } from './speakers.js'

export { notebookFile } from './open-file.js'
export { notebookSource } from './source.js'

export interface NotebookOptions {
  /** Where `notebook.sqlite` lies; made when it is missing, readable by its owner only. */
  readonly directory: string
  /** Another one than today's is for trying out migrations. */
  readonly format?: Format
}

export const sqliteNotebook = ({ directory, format = currentFormat }: NotebookOptions): Notebook => {
  const path = notebookFile(directory)
  let opened: (Opened & { readonly file: string }) | undefined

  /** The connection that is open, unless the file was replaced behind it. */
  const connection = async (writes: boolean): Promise<DatabaseSyncInstance> => {
    if (opened && opened.file === fileIdentity(path) && (opened.writes || !writes)) return opened.connection
    close()
    const fresh = await (writes ? openForWriting : openForReading)(directory, format)
    opened = { ...fresh, file: fileIdentity(path) }
    return fresh.connection
  }
  const close = (): void => {
    const ending = opened
    opened = undefined
    if (!ending?.connection.isOpen) return
    if (ending.writes) settle(ending.connection)
    ending.connection.close()
  }
  const read = async <Result>(
    work: (open: DatabaseSyncInstance) => Result,
    nothing: Result,
  ): Promise<Result> => {
    if (!existsSync(path)) return nothing
    try {
      return work(await connection(false))
    } catch (error) {
      throw translate(error, path)
    }
  }

  return {
    isThere: () => existsSync(path),
    async write(work) {
      const open = await connection(true)
      let hasRemoved = false
      try {
        open.exec('BEGIN IMMEDIATE')
        const page = pageOf(open)
        const remove = (name: string): boolean => {
          const isGone = page.remove(name)
          hasRemoved ||= isGone
          return isGone
        }
        const result = work({ ...page, remove })
        open.exec('COMMIT')
        // What was taken out would stay readable in the log.
        if (hasRemoved) settle(open)
        return result
      } catch (error) {
        // SQLite has rolled back by itself after some errors, a full disk among them.
        if (open.isOpen && open.isTransaction) open.exec('ROLLBACK')
        throw translate(error, path)
      }
    },
    get: name => read(open => pageOf(open).get(name), null),
    list: (filter = {}) => read(open => listNotes(open, filter), []),
    stamps: names => read(open => stampsOf(open, names), NO_STAMPS),
    speakers: () => read(everySpeaker, []),
    stamp: () => read(stampOf, ''),
    check: deep => checkNotebook(path, () => connection(false), deep),
    salvage: () => salvageNotes(path),
    close,
  }
}

const NO_STAMPS: ReadonlyMap<string, string> = new Map()

/** Moves everything from the log into the file, unless a reader is in the way: then the log is as good as the file. */
const settle = (open: DatabaseSyncInstance): void => {
  try {
    open.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Nothing is lost: the next one who writes tries again.
  }
}

/** Another one when the file was deleted or replaced; empty when there is none. */
const fileIdentity = (path: string): string => {
  const status = statSync(path, { throwIfNoEntry: false })
  return status === undefined ? '' : `${status.dev}/${status.ino}`
}
