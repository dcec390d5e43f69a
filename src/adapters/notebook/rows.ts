/** Notes as rows and back. The stamp of a row covers all of it: SQLite itself does not notice a flipped bit inside a value. */

import { createHash } from 'node:crypto'
import type { NoteDocument, NoteForm, NoteSummary } from '../../core/notes.js'

export interface NoteRow {
  readonly name: string
  readonly form: NoteForm
  /** As JSON: a session may be called anything, and the driver cuts strings off at a NUL. */
  readonly session: string | null
  readonly tags: string
  readonly time: number
  readonly added: number
  readonly origin: string | null
  readonly stamp: string
  readonly text: Uint8Array
}

export type SummaryRow = Omit<NoteRow, 'text'> & { readonly bytes: number }

export const toRow = (note: NoteDocument): NoteRow => {
  const row = {
    name: note.name,
    form: note.form,
    session: note.session === null ? null : JSON.stringify(note.session),
    tags: JSON.stringify(note.tags),
    time: note.time,
    added: note.added,
    origin: note.origin,
    text: Buffer.from(note.text, 'utf8'),
  }
  return { ...row, stamp: stampOf(row) }
}

export const fromRow = (row: NoteRow): NoteDocument => {
  const { name, form, session, tags, time, added, origin, text } = row
  return {
    ...{ name, form, time, added, origin },
    session: session === null ? null : JSON.parse(session),
    tags: JSON.parse(tags),
    text: Buffer.from(text).toString('utf8'),
  }
}

export const toSummary = ({ session, tags, ...row }: SummaryRow): NoteSummary => ({
  ...row,
  session: session === null ? null : JSON.parse(session),
  tags: JSON.parse(tags),
})

export const isWhole = (row: NoteRow): boolean => stampOf(row) === row.stamp

const stampOf = ({ name, form, session, tags, time, added, origin, text }: Omit<NoteRow, 'stamp'>): string =>
  createHash('sha256')
    .update(JSON.stringify([name, form, session, tags, time, added, origin]))
    .update(text)
    .digest('hex')
    .slice(0, 32)
