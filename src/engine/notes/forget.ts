/** `forget`: takes out what an id stands for, the way `remember` and `recall` print it. */

import { QuarryError } from '../../core/errors.js'
import type { Notebook } from '../../core/notes.js'
import { sessionText, turnsOf } from '../../text/turns.js'
import type { Shelf } from '../shelf.js'
import type { Forgotten } from './api.js'
import { rememberedName } from './names.js'

export const forget = async (notebook: Notebook, shelf: Shelf, given: string): Promise<Forgotten> => {
  const id = given.trim()
  const remembered = await notebook.get(id.startsWith('remembered/') ? id : rememberedName(id))
  if (remembered) return takeOut(notebook, remembered.name)
  const [chunk] = id === '' ? [] : ((await (await shelf.openIfThere())?.chunksByDigest(id)) ?? [])
  if (chunk === undefined)
    throw new QuarryError('BAD_INPUT', `No note has the id ${JSON.stringify(id.slice(0, 100))}`, {
      hint: 'quarry notes list; quarry recall "…" --json',
    })
  if (chunk.language === 'note') return takeOut(notebook, chunk.document)
  if (chunk.language === 'conversation')
    return takeOutTurn(notebook, chunk.document, chunk.startLine, chunk.text)
  throw new QuarryError(
    'BAD_INPUT',
    `This is a part of ${chunk.document}, which can only be taken out whole`,
    {
      hint: `quarry notes remove ${JSON.stringify(chunk.document)}`,
    },
  )
}

const takeOut = (notebook: Notebook, name: string): Promise<Forgotten> =>
  notebook.write(page => {
    const note = page.get(name)
    if (note === null) throw new QuarryError('BAD_INPUT', `There is no note ${name} any more`)
    page.remove(name)
    return { name, text: note.text }
  })

const takeOutTurn = (notebook: Notebook, name: string, turn: number, text: string): Promise<Forgotten> =>
  notebook.write(page => {
    const note = page.get(name)
    const turns = note === null ? [] : turnsOf(note.text)
    // The index may be older than the notebook: what is there now must be what was shown.
    if (note === null || turns[turn - 1]?.text !== text)
      throw new QuarryError('BAD_INPUT', `${name} has changed since`, {
        hint: 'quarry recall "…", and the id it prints now',
      })
    const rest = turns.toSpliced(turn - 1, 1)
    if (rest.length === 0) page.remove(name)
    else page.put({ ...note, text: sessionText(rest) })
    return { name, turn, text }
  })
