/**
 * Notes out and in again without loss, as JSON Lines: a line that says what this is, then a line for each note, sorted by name.
 * Of a notebook that is damaged, whatever can still be read comes out.
 */

import { z } from 'zod'
import { readText } from '../../adapters/note-files/read-bytes.js'
import { QuarryError } from '../../core/errors.js'
import type { Notebook, NotebookPage, NoteDocument, Turn } from '../../core/notes.js'
import { sessionText, turnsOf } from '../../text/turns.js'
import type { ImportRequest, NotesExport, NotesReport } from './api.js'
import { mergeTurns } from './merge-turns.js'
import { checkTags, union } from './names.js'

const HEAD = { quarry: 'notes', version: 1 } as const
const LINES_AT_ONCE = 500

export const exportNotes = async (notebook: Notebook): Promise<NotesExport> => {
  const isSound = (await notebook.check(true).catch(() => ['it cannot be checked'])).length === 0
  if (isSound) {
    const names = (await notebook.list()).map(({ name }) => name)
    return { count: names.length, lost: [], lines: linesOf(names.map(name => () => notebook.get(name))) }
  }
  const { notes, lost } = await notebook.salvage()
  return { count: notes.length, lost, lines: linesOf(notes.map(note => async () => note)) }
}

/** One note in memory at a time. */
async function* linesOf(reads: readonly (() => Promise<NoteDocument | null>)[]): AsyncGenerator<string> {
  yield `${JSON.stringify(HEAD)}\n`
  for (const read of reads) {
    const note = await read()
    if (note !== null) yield `${JSON.stringify(toLine(note))}\n`
  }
}

const toLine = ({ name, form, session, tags, time, added, origin, text }: NoteDocument) => ({
  ...{ name, form },
  ...(session !== null && { session }),
  ...{ tags, time: time === 0 ? null : iso(time), added: iso(added), origin },
  ...(form === 'session' ? (readable(text) ?? { text }) : { text }),
})

/** Turn by turn, so that other programs can read them; a text that was damaged goes out as it is. */
const readable = (text: string): { readonly turns: readonly Turn[] } | null => {
  try {
    const turns = turnsOf(text)
    return sessionText(turns) === text ? { turns } : null
  } catch {
    return null
  }
}

const iso = (time: number): string => new Date(time).toISOString()

const name = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[^\p{Cc}]*$/u)
const time = z.iso.datetime().transform(Date.parse)
const turn = z.looseObject({
  session: z.string(),
  time: z.string().optional(),
  speaker: z.string(),
  text: z.string(),
  id: z.string().optional(),
})
const facts = {
  name,
  tags: z.array(z.string()),
  time: time.nullable(),
  added: time,
  origin: z.string().nullable(),
}
const noteLine = z.union([
  z.strictObject({ ...facts, form: z.enum(['note', 'markdown', 'text']), text: z.string() }),
  z.strictObject({
    ...facts,
    form: z.literal('session'),
    session: z.string().min(1),
    turns: z.array(turn).min(1),
  }),
])

export const importNotes = async (
  notebook: Notebook,
  path: string,
  { replace = false }: ImportRequest,
): Promise<NotesReport> => {
  const read = readText(path)
  if ('refusal' in read) throw new QuarryError('BAD_PATH', `${path} cannot be taken in: ${read.refusal}`)
  const lines = read.text.split('\n')
  checkHead(lines[0] ?? '', path)
  const remarks: NotesReport['remarks'][number][] = []
  const counts = { added: 0, changed: 0, unchanged: 0, turns: 0 }
  for (let start = 1; start < lines.length; start += LINES_AT_ONCE)
    await notebook.write(page => {
      for (const [at, line] of lines.slice(start, start + LINES_AT_ONCE).entries()) {
        if (line.trim() === '') continue
        const outcome = takeLine(page, line, replace)
        if (outcome in counts) counts[outcome as keyof typeof counts]++
        else remarks.push({ path, line: start + at + 1, message: outcome, isTaken: false })
      }
    })
  return { files: 1, ...counts, remarks }
}

const checkHead = (line: string, path: string): void => {
  const head = parse(line) as { quarry?: unknown; version?: unknown } | undefined
  if (head?.quarry !== HEAD.quarry)
    throw new QuarryError('BAD_INPUT', `${path} is no export of notes`, { hint: 'quarry notes add FILE' })
  if (head.version !== HEAD.version)
    throw new QuarryError('BAD_INPUT', `${path} was written by a newer Quarry`, {
      hint: 'use the newer Quarry that wrote it',
    })
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What became of it, or why nothing did. */
const takeLine = (page: NotebookPage, line: string, replace: boolean): string => {
  const checked = noteLine.safeParse(parse(line))
  if (!checked.success) return 'the line is no note'
  const note = toNote(checked.data)
  if (note === null) return 'a tag of the note cannot be one'
  const before = page.get(note.name)
  if (before === null) {
    page.put(note)
    return 'added'
  }
  if (JSON.stringify(before) === JSON.stringify({ ...note })) return 'unchanged'
  if (replace) page.put(note)
  else if (note.form === 'session' && before.form === 'session') {
    const text = sessionText(mergeTurns(turnsOf(before.text), turnsOf(note.text)))
    const tags = union(before.tags, note.tags)
    if (text === before.text && tags.length === before.tags.length) return 'unchanged'
    page.put({ ...before, text, tags })
  } else return `there is another note ${JSON.stringify(note.name)}: --replace puts this one in its place`
  return 'changed'
}

/** With its fields in the order in which the notebook hands them out. */
const toNote = (line: z.output<typeof noteLine>): NoteDocument | null => {
  try {
    const session = line.form === 'session' ? line.session : null
    const text = line.form === 'session' ? sessionText(line.turns as readonly Turn[]) : line.text
    const { name, form, added, origin } = line
    return { name, form, time: line.time ?? 0, added, origin, session, tags: checkTags(line.tags), text }
  } catch {
    return null
  }
}
