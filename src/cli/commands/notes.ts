/** `quarry notes …`: takes notes in, lists, shows and takes them out. */

import type { NoteSummary, NotesReport } from '../../index.js'
import { encode } from '../../present/json.js'
import { shortTime } from '../../present/note-text.js'
import { type Paint, paintWith } from '../../present/paint.js'
import { sanitise, sanitiseLine } from '../../present/sanitise.js'
import { counted, grouped } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'
import type { Terminal } from '../terminal.js'

interface AddFlags extends CommonFlags {
  readonly tag?: readonly string[]
  readonly format?: string
}

/** More lines than this are a file of the wrong sort, and nobody reads them. */
const REMARKS_SHOWN = 50

export const runNotesAdd = async (
  paths: readonly string[],
  flags: AddFlags,
  { terminal, signal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const report = await quarry.notes.add(paths, {
      ...(flags.tag && { tags: flags.tag }),
      ...(flags.format !== undefined && { format: flags.format }),
      signal,
    })
    return reportNotes(report, flags, terminal)
  })

/** What was taken in, and what was not; the exit code says whether anything was. */
export const reportNotes = async (
  report: NotesReport,
  flags: CommonFlags,
  terminal: Terminal,
): Promise<number> => {
  const { files, added, changed, unchanged, turns, remarks } = report
  for (const { path, line, message, isTaken } of remarks.slice(0, REMARKS_SHOWN)) {
    const said = isTaken ? terminal.paint.faint('note:') : terminal.paint.warning('left out:')
    terminal.talk(
      `${said} ${sanitiseLine(path)}${line === undefined ? '' : `:${line}`}: ${sanitiseLine(message)}\n`,
    )
  }
  if (remarks.length > REMARKS_SHOWN)
    terminal.talk(`… and ${counted(remarks.length - REMARKS_SHOWN, 'more remark')}: --json lists them all\n`)
  const rejected = remarks.filter(({ isTaken }) => !isTaken).length
  if (flags.json) await terminal.print(`${encode({ ...report, rejected }, 2)}\n`)
  else
    await terminal.print(
      `${counted(files, 'file')}: ${grouped(added)} added, ${grouped(changed)} changed, ${grouped(unchanged)} unchanged, ${grouped(rejected)} left out${turns === 0 ? '' : `; ${counted(turns, 'new turn')}`}\n`,
    )
  return added + changed + unchanged > 0 ? 0 : 1
}

interface ListFlags extends CommonFlags {
  readonly tag?: readonly string[]
  readonly session?: string
}

export const runNotesList = async (flags: ListFlags, { terminal }: Surroundings): Promise<number> =>
  withQuarry(flags, async quarry => {
    const notes = await quarry.notes.list({
      ...(flags.tag && { tags: flags.tag }),
      ...(flags.session !== undefined && { session: flags.session }),
    })
    const paint = paintWith(terminal.colour)
    if (flags.json) await terminal.print(`${encode({ notes: notes.map(shape) }, 2)}\n`)
    else await terminal.print(notes.map(note => listed(note, paint)).join(''))
    if (notes.length === 0)
      terminal.talk(`${terminal.paint.faint(' hint:')} quarry remember "…", or: quarry notes add DIR\n`)
    return notes.length > 0 ? 0 : 1
  })

const shape = ({ name, form, session, tags, time, added, origin, bytes }: NoteSummary) => ({
  ...{ name, form },
  ...(session === null ? {} : { session }),
  ...{ tags, time: iso(time), added: iso(added), origin, bytes },
})

const listed = ({ name, tags, time, bytes }: NoteSummary, paint: Paint): string => {
  const said = tags.map(tag => ` #${sanitiseLine(tag)}`).join('')
  return `${shortTime(iso(time)).padEnd(16)}  ${paint.path(sanitiseLine(name))}${said}  ${paint.faint(`${grouped(bytes)} bytes`)}\n`
}

const iso = (time: number): string | null => (time === 0 ? null : new Date(time).toISOString())

export const runNotesShow = async (
  name: string,
  flags: CommonFlags,
  { terminal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const note = await quarry.notes.show(name)
    const { form, session, tags, time, added, origin, text } = note
    const facts = { name: note.name, form, session, tags, time: iso(time), added: iso(added), origin }
    await terminal.print(flags.json ? `${encode({ ...facts, text }, 2)}\n` : `${sanitise(text)}\n`)
    return 0
  })

export const runNotesRemove = async (
  names: readonly string[],
  flags: CommonFlags,
  { terminal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const removed = await quarry.notes.remove(names)
    if (flags.json) await terminal.print(`${encode({ removed }, 2)}\n`)
    else terminal.talk(removed.map(name => `taken out: ${sanitiseLine(name)}\n`).join(''))
    return 0
  })
