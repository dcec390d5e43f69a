/** Looks for damage, and reads what a damaged notebook still holds. */

import { existsSync } from 'node:fs'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { QuarryError } from '../../core/errors.js'
import type { NoteDocument } from '../../core/notes.js'
import { translate } from './failures.js'
import { connect } from './open-file.js'
import { fromRow, isWhole, type NoteRow } from './rows.js'

/** What is wrong, in sentences. */
export const checkNotebook = async (
  path: string,
  open: () => Promise<DatabaseSyncInstance>,
  deep: boolean,
): Promise<readonly string[]> => {
  if (!existsSync(path)) return []
  try {
    const connection = await open()
    const faults = pragma(connection, deep ? 'integrity_check' : 'quick_check')
    if (!deep || faults.length > 0) return faults
    const broken: string[] = []
    for (const row of connection.prepare('SELECT * FROM notes ORDER BY name').iterate())
      if (!isWhole(row as unknown as NoteRow))
        broken.push(`the note ${(row as unknown as NoteRow).name} is not as it was written`)
    return broken
  } catch (error) {
    // One that is too new or may not be read is not damaged: that is the caller's to say.
    const failure = translate(error, path)
    if (failure.code === 'NOTES_DAMAGED' || failure.code === 'INTERNAL') return [failure.message]
    throw failure
  }
}

const pragma = (connection: DatabaseSyncInstance, name: string): readonly string[] =>
  connection
    .prepare(`PRAGMA ${name}(20)`)
    .all()
    .map(row => String(Object.values(row as object)[0]))
    .filter(said => said !== 'ok')

/**
 * Note by note, by number: where a page cannot be read, the notes on it are lost and the others are not. A note that is
 * not quite as it was written is handed out all the same, and named among the lost.
 */
export const salvageNotes = async (
  path: string,
): Promise<{ readonly notes: readonly NoteDocument[]; readonly lost: readonly string[] }> => {
  if (!existsSync(path)) return { notes: [], lost: [] }
  let connection: DatabaseSyncInstance
  try {
    connection = await connect(path, 'mode=ro')
  } catch {
    connection = await connectTo(path)
  }
  try {
    const notes = new Map<string, NoteDocument>()
    const lost: string[] = []
    for (const id of idsOf(connection, path)) {
      try {
        const row = connection.prepare('SELECT * FROM notes WHERE id = ?').get(id) as unknown as
          | NoteRow
          | undefined
        if (row === undefined) continue
        if (!isWhole(row)) lost.push(row.name)
        notes.set(row.name, fromRow(row))
      } catch {
        lost.push(`number ${id}`)
      }
    }
    const sorted = [...notes.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { notes: sorted, lost }
  } finally {
    connection.close()
  }
}

const connectTo = async (path: string): Promise<DatabaseSyncInstance> => {
  try {
    return await connect(path, 'immutable=1')
  } catch (error) {
    throw translate(error, path)
  }
}

/** From the table, from the index on the names where the table breaks off, and every number between. */
const idsOf = (connection: DatabaseSyncInstance, path: string): readonly number[] => {
  const ids = new Set<number>()
  const failures: unknown[] = []
  for (const sql of [
    'SELECT id FROM notes ORDER BY id',
    'SELECT id FROM notes ORDER BY id DESC',
    'SELECT id, name FROM notes INDEXED BY sqlite_autoindex_notes_1 ORDER BY name',
  ]) {
    try {
      for (const row of connection.prepare(sql).iterate()) ids.add(Number((row as { id: number }).id))
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0 && ids.size === 0) {
    const failure = translate(failures[0], path)
    throw failure.code === 'INTERNAL'
      ? new QuarryError('NOTES_DAMAGED', failure.message, { cause: failure })
      : failure
  }
  if (failures.length === 0) return [...ids]
  const last = Math.max(...ids) + 1_000
  return Array.from({ length: last }, (_, position) => position + 1)
}
