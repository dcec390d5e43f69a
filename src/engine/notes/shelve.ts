/** Notes by their names: shown whole, or taken out. */

import { QuarryError } from '../../core/errors.js'
import type { Notebook, NoteDocument } from '../../core/notes.js'
import { compileGlob } from '../../text/glob.js'
import { rememberedName } from './names.js'

export const showNote = async (notebook: Notebook, name: string): Promise<NoteDocument> => {
  const note = (await notebook.get(name)) ?? (await notebook.get(rememberedName(name)))
  if (note === null) throw noSuchNote(name)
  return note
}

export const noSuchNote = (name: string): QuarryError =>
  new QuarryError('BAD_INPUT', `There is no note ${JSON.stringify(name.slice(0, 200))}`, {
    hint: 'quarry notes list',
  })

/** Each by its whole name, or every one that a pattern with a wildcard fits. All are there, or none is taken out. */
export const removeNotes = async (
  notebook: Notebook,
  names: readonly string[],
): Promise<readonly string[]> => {
  const all = (await notebook.list()).map(({ name }) => name)
  const known = new Set(all)
  const meant = names.flatMap(name => {
    if (known.has(name)) return [name]
    if (known.has(rememberedName(name))) return [rememberedName(name)]
    const matches = compileGlob(name)
    const found = all.filter(matches)
    if (found.length === 0) throw noSuchNote(name)
    return found
  })
  const unique = [...new Set(meant)].sort()
  if (unique.length === 0) return []
  return notebook.write(page => unique.filter(name => page.remove(name)))
}
