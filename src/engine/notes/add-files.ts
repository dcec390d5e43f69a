/** `notes add`: files become notes in the notebook. What is there already stays as it is; what changed is replaced. */

import {
  type NoteFile,
  type NoteFormat,
  readNoteFiles,
  type SessionDraft,
  type TextDraft,
} from '../../adapters/note-files/index.js'
import { QuarryError } from '../../core/errors.js'
import type { Notebook, NotebookPage, NoteDocument } from '../../core/notes.js'
import { sessionText, turnsOf } from '../../text/turns.js'
import type { AddNotesRequest, NotesReport } from './api.js'
import { byDay, mergeTurns } from './merge-turns.js'
import { checkTags, fileName, otherName, sessionName, union } from './names.js'

/** Several files are one transaction: each waits for the disk. */
const FILES_AT_ONCE = 200
const CHARACTERS_AT_ONCE = 8_000_000

export const addFiles = async (
  notebook: Notebook,
  paths: readonly string[],
  { tags = [], format, signal, onFile }: AddNotesRequest,
  now: number,
): Promise<NotesReport> => {
  const given = checkTags(tags)
  const total = { added: 0, changed: 0, unchanged: 0, turns: 0 }
  const remarks: NoteFile['remarks'][number][] = []
  let files = 0
  const waiting: NoteFile[] = []
  let characters = 0
  const write = async (): Promise<void> => {
    const batch = waiting.splice(0)
    characters = 0
    if (batch.every(({ drafts }) => drafts.length === 0)) return
    const counts = await notebook.write(page => batch.map(file => putFile(page, file, given, now)))
    for (const { added, changed, unchanged, turns } of counts) {
      total.added += added
      total.changed += changed
      total.unchanged += unchanged
      total.turns += turns
    }
  }
  for (const path of paths)
    for (const file of readNoteFiles(path, format as NoteFormat | undefined)) {
      if (signal?.aborted) throw new QuarryError('CANCELLED', 'Adding notes was cancelled')
      files++
      waiting.push(file)
      remarks.push(...file.remarks)
      characters += file.drafts.reduce((sum, draft) => sum + sizeOf(draft), 0)
      onFile?.(files)
      if (waiting.length >= FILES_AT_ONCE || characters > CHARACTERS_AT_ONCE) await write()
    }
  await write()
  return { files, ...total, remarks }
}

const sizeOf = (draft: TextDraft | SessionDraft): number =>
  draft.form === 'session'
    ? draft.turns.reduce((sum, { text }) => sum + text.length + 100, 0)
    : draft.text.length

type Counts = Pick<NotesReport, 'added' | 'changed' | 'unchanged' | 'turns'>

const putFile = (page: NotebookPage, file: NoteFile, tags: readonly string[], now: number): Counts => {
  const counts = { added: 0, changed: 0, unchanged: 0, turns: 0 }
  for (const draft of file.drafts) {
    const notes =
      draft.form === 'session'
        ? sessionNotes(page, draft, file, tags, now)
        : [textNote(page, draft, file, tags, now)]
    for (const { note, before } of notes) {
      const isSame = before !== null && sameNote(before, note)
      counts[before === null ? 'added' : isSame ? 'unchanged' : 'changed']++
      if (note.form === 'session')
        counts.turns += countLines(note.text) - (before ? countLines(before.text) : 0)
      if (!isSame) page.put(note)
    }
  }
  return counts
}

interface Change {
  readonly note: NoteDocument
  readonly before: NoteDocument | null
}

const textNote = (
  page: NotebookPage,
  draft: TextDraft,
  { name: given, path }: NoteFile,
  tags: readonly string[],
  now: number,
): Change => {
  const plain = fileName(given)
  const taken = page.get(plain)
  const name = taken === null || taken.origin === path ? plain : otherName(plain, path)
  const before = name === plain ? taken : page.get(name)
  const { form, text } = draft
  // Copies and check-outs touch files: their time counts when they are new or say something else, and not otherwise.
  const guess = before !== null && before.text === text ? before.time : draft.modified
  const note = {
    ...{ name, form, text, origin: path, session: null },
    tags: union(before?.tags ?? [], draft.tags, tags),
    time: draft.time ?? guess,
    added: before?.added ?? now,
  }
  return { note, before }
}

const sessionNotes = (
  page: NotebookPage,
  { turns }: SessionDraft,
  { path }: NoteFile,
  tags: readonly string[],
  now: number,
): readonly Change[] =>
  [...byDay(turns)].map(([day, said]) => {
    const { session } = said[0]!
    const name = sessionName(session, day)
    const before = page.get(name)
    const merged = mergeTurns(before === null ? [] : turnsOf(before.text), said)
    const note: NoteDocument = {
      ...{ name, form: 'session', session, text: sessionText(merged) },
      origin: before?.origin ?? path,
      tags: union(before?.tags ?? [], tags),
      time: merged[0]?.time === undefined ? 0 : Date.parse(merged[0].time),
      added: before?.added ?? now,
    }
    return { note, before }
  })

const sameNote = (one: NoteDocument, other: NoteDocument): boolean =>
  one.form === other.form &&
  one.text === other.text &&
  one.time === other.time &&
  one.origin === other.origin &&
  JSON.stringify(one.tags) === JSON.stringify(other.tags)

const countLines = (text: string): number => (text === '' ? 0 : text.split('\n').length)
