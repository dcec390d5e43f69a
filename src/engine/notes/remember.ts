/** `remember`: one text becomes a note of its own, on the disk before anyone is told so. */

import { QuarryError } from '../../core/errors.js'
import type { Notebook, NoteDocument } from '../../core/notes.js'
import type { Remembered, RememberRequest } from './api.js'
import { checkTags, rememberedId, rememberedName, union } from './names.js'

/** A note is a thought or a page, not a library: for that there are files. */
export const LONGEST_NOTE_BYTES = 1_048_576
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

export const remember = async (
  notebook: Notebook,
  given: string,
  { tags = [], time }: RememberRequest,
  now: number,
): Promise<Remembered> => {
  const text = given.toWellFormed().trim()
  if (text === '')
    throw new QuarryError('BAD_INPUT', 'There is nothing to remember', { hint: 'quarry remember "…"' })
  if (Buffer.byteLength(text) > LONGEST_NOTE_BYTES)
    throw new QuarryError('BAD_INPUT', `A note has at most ${LONGEST_NOTE_BYTES} bytes`, {
      hint: 'save it as a file: quarry notes add FILE',
    })
  if (time !== undefined && !(time >= EARLIEST && time < LATEST))
    throw new QuarryError('BAD_INPUT', `The time ${time} is not believed`, { hint: '--time 2026-05-01' })
  const said = checkTags(tags)
  const id = rememberedId(text, time)
  const name = rememberedName(id)
  return notebook.write(page => {
    const before = page.get(name)
    const note: NoteDocument = before
      ? { ...before, tags: union(before.tags, said) }
      : {
          name,
          form: 'note',
          text,
          tags: union(said),
          time: time ?? now,
          added: now,
          origin: null,
          session: null,
        }
    if (before === null || note.tags.length !== before.tags.length) page.put(note)
    return { id, name, tags: note.tags, time: new Date(note.time).toISOString(), isNew: before === null }
  })
}
