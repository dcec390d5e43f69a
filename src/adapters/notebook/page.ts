/** The statements of the notebook. Each is prepared once for a connection: the driver keeps them until the garbage collector comes. */

import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import type { NotebookPage, NoteFilter, NoteSummary } from '../../core/notes.js'
import { fromRow, type NoteRow, type SummaryRow, toRow, toSummary } from './rows.js'

const COLUMNS = 'name, form, session, tags, time, added, origin, stamp'

const prepared = new WeakMap<DatabaseSyncInstance, Map<string, StatementSyncInstance>>()

export const statement = (open: DatabaseSyncInstance, sql: string): StatementSyncInstance => {
  const known = prepared.get(open) ?? new Map<string, StatementSyncInstance>()
  prepared.set(open, known)
  const found = known.get(sql) ?? open.prepare(sql)
  known.set(sql, found)
  return found
}

export const pageOf = (open: DatabaseSyncInstance): NotebookPage => {
  const changed = () => open.exec('UPDATE state SET revision = revision + 1')
  return {
    get: name => {
      // The driver would cut the name off there, and find another note.
      if (name.includes('\0')) return null
      const row = statement(open, `SELECT ${COLUMNS}, text FROM notes WHERE name = ?`).get(name)
      return row === undefined ? null : fromRow(row as unknown as NoteRow)
    },
    put: note => {
      const { name, form, session, tags, time, added, origin, stamp, text } = toRow(note)
      statement(
        open,
        `INSERT INTO notes (${COLUMNS}, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (name) DO UPDATE SET form = excluded.form, session = excluded.session, tags = excluded.tags,
           time = excluded.time, added = excluded.added, origin = excluded.origin, stamp = excluded.stamp, text = excluded.text`,
      ).run(name, form, session, tags, time, added, origin, stamp, text)
      changed()
    },
    remove: name => {
      if (name.includes('\0')) return false
      const { changes } = statement(open, 'DELETE FROM notes WHERE name = ?').run(name)
      if (Number(changes) > 0) changed()
      return Number(changes) > 0
    },
  }
}

export const listNotes = (
  open: DatabaseSyncInstance,
  { tags = [], session, form }: NoteFilter,
): readonly NoteSummary[] =>
  statement(
    open,
    `SELECT ${COLUMNS}, length(text) AS bytes FROM notes
     WHERE (?1 IS NULL OR session = ?1) AND (?2 IS NULL OR form = ?2)
       AND (?3 = '[]' OR NOT EXISTS (SELECT value FROM json_each(?3) EXCEPT SELECT value FROM json_each(tags)))
     ORDER BY name`,
  )
    .all(session === undefined ? null : JSON.stringify(session), form ?? null, JSON.stringify(tags))
    .map(row => toSummary(row as unknown as SummaryRow))

/** By itself: of many notes the rest is most of the work. */
export const stampsOf = (
  open: DatabaseSyncInstance,
  names?: readonly string[],
): ReadonlyMap<string, string> => {
  const select = (where: string, ...name: readonly string[]) =>
    statement(open, `SELECT name, stamp FROM notes ${where}`).all(...name) as unknown as Pick<
      NoteRow,
      'name' | 'stamp'
    >[]
  const rows = names ? names.flatMap(name => select('WHERE name = ?', name)) : select('ORDER BY name')
  return new Map(rows.map(({ name, stamp }) => [name, stamp]))
}

/** Another one for another file, and after every change. */
export const stampOf = (open: DatabaseSyncInstance): string => {
  const state = statement(open, 'SELECT identity, revision FROM state').get() as unknown as
    | { readonly identity: string; readonly revision: number }
    | undefined
  return state === undefined ? '' : `${state.identity}.${state.revision}`
}
