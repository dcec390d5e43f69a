/** `quarry notes export` and `import`: all notes out, and in again, without loss. */

import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { QuarryError } from '../../core/errors.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { counted } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'
import { reportNotes } from './notes.js'

const HEAD = '{"quarry":"notes"'

export const runNotesExport = async (
  file: string | undefined,
  flags: CommonFlags,
  { terminal }: Surroundings,
): Promise<number> => {
  if (file !== undefined && file !== '-') refuseForeign(file)
  return withQuarry(flags, async quarry => {
    const { count, lines, lost } = await quarry.notes.export()
    if (file === undefined || file === '-') for await (const line of lines) await terminal.print(line)
    else await writeWhole(file, lines)
    for (const name of lost)
      terminal.talk(
        `${terminal.paint.warning('damaged:')} ${sanitiseLine(name)} is lost or not as it was written\n`,
      )
    if (flags.json && file !== undefined) await terminal.print(`${encode({ file, count, lost }, 2)}\n`)
    else terminal.talk(`${counted(count, 'note')} written\n`)
    return lost.length > 0 ? 2 : 0
  })
}

/** An earlier export may be replaced, nothing else. */
const refuseForeign = (file: string): void => {
  if (!existsSync(file)) return
  const descriptor = openSync(file, 'r')
  try {
    const start = Buffer.alloc(HEAD.length)
    readSync(descriptor, start, 0, HEAD.length, 0)
    if (start.toString() === HEAD) return
  } finally {
    closeSync(descriptor)
  }
  throw new QuarryError('BAD_PATH', `${file} is there already, and is no export of notes`, {
    hint: 'quarry notes export ANOTHER-FILE',
  })
}

/** Under its name only when it is whole and on the disk; notes are private. */
const writeWhole = async (file: string, lines: AsyncIterable<string>): Promise<void> => {
  const draft = `${file}.${process.pid}.new`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    for await (const line of lines) {
      const bytes = Buffer.from(line)
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    }
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

export const runNotesImport = async (
  file: string,
  flags: CommonFlags & { readonly replace?: boolean },
  { terminal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const report = await quarry.notes.import(file, { replace: flags.replace ?? false })
    return reportNotes(report, flags, terminal)
  })
