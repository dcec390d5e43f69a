/** The notebook as a source of the index: one document for each note, known by the stamp of its row. */

import type { Notebook, NoteDocument } from '../../core/notes.js'
import type { Source } from '../../core/ports.js'
import type { SourceDocument } from '../../core/types.js'

export const notebookSource = (notebook: Notebook): Source & Required<Pick<Source, 'stamp'>> => ({
  kind: 'note',
  stamp: () => notebook.stamp(),
  async changes(known) {
    const stamps = await notebook.stamps()
    const touched = [...stamps].filter(([name, stamp]) => known.get(name)?.stamp !== stamp)
    return {
      touched: touched.map(([name]) => name),
      gone: [...known.keys()].filter(name => !stamps.has(name)).sort(),
      unchanged: stamps.size - touched.length,
      skipped: [],
    }
  },
  async *read(names) {
    const stamps = await notebook.stamps(names)
    for (const name of names) {
      const note = await notebook.get(name)
      const stamp = stamps.get(name)
      // Forgotten since the changes were counted.
      if (note === null || stamp === undefined) yield { path: name, reason: 'vanished' }
      else yield toDocument(note, stamp)
    }
  },
})

const LANGUAGES = { note: 'note', markdown: 'markdown', text: 'text', session: 'conversation' } as const

const toDocument = ({ name, form, text, time }: NoteDocument, stamp: string): SourceDocument => ({
  kind: 'note',
  path: name,
  language: LANGUAGES[form],
  text,
  contentHash: stamp,
  stamp,
  time,
})
