/** Notes as the engine sees them: the notebook, the shelf of what is searched, and keeping the one up to date with the other. */

import { join } from 'node:path'
import { notesChunker } from '../../adapters/chunkers/notes/index.js'
import { notebookFile, notebookSource, sqliteNotebook } from '../../adapters/notebook/index.js'
import { sqliteStore } from '../../adapters/stores/sqlite/index.js'
import type { Notebook } from '../../core/notes.js'
import type { IndexReport, Warning } from '../../core/types.js'
import { prepareWith } from '../../indexing/prepare.js'
import type { IndexRequest, SearchRequest } from '../api.js'
import { orWarn } from '../history-behind.js'
import { type Shelf, shelfOf } from '../shelf.js'
import { type TakeInParts, takeIn } from '../take-in.js'
import { addFiles } from './add-files.js'
import type { Notes, NotesStatus } from './api.js'
import { forget } from './forget.js'
import { remember } from './remember.js'
import { removeNotes, showNote } from './shelve.js'

export interface OpenNotes {
  readonly door: Notes
  readonly notebook: Notebook
  readonly shelf: Shelf
  index(request: IndexRequest): Promise<IndexReport>
  /** Takes in what was noted since. */
  refresh(request: SearchRequest): Promise<readonly Warning[]>
  /** Null where nothing was ever noted. */
  status(): Promise<NotesStatus | null>
  close(): Promise<void>
}

export interface NotesParts extends Omit<TakeInParts, 'shelf'> {
  /** Of the index. */
  readonly directory: string
  /** Of the notebook. */
  readonly notesDirectory: string
}

export const openNotes = (parts: NotesParts): OpenNotes => {
  const { root, directory, notesDirectory, now } = parts
  const notebook = sqliteNotebook({ directory: notesDirectory })
  const shelf = shelfOf(sqliteStore({ directory: join(directory, 'notes'), root, now }))
  const plain = notebookSource(notebook)
  // With the chunker's name: notes that a newer one would cut otherwise count as changed.
  const source = { ...plain, stamp: async () => `${notesChunker().id} ${await plain.stamp()}` }

  const index: OpenNotes['index'] = request => {
    const chunker = notesChunker()
    const job = { source, chunkerId: chunker.id, prepareDocument: prepareWith(chunker) }
    return takeIn({ ...parts, shelf }, job, request)
  }
  const isIndexed = async (): Promise<boolean> => {
    const reader = await shelf.openIfThere()
    return (
      reader !== null &&
      (await reader.state()).indexedAt !== null &&
      (await reader.sourceStamp()) === (await source.stamp())
    )
  }

  return {
    notebook,
    shelf,
    index,
    async status() {
      if (!notebook.isThere()) return null
      const all = await notebook.list()
      const reader = await shelf.openIfThere()
      const { touched, gone } = await source.changes((await reader?.known('note')) ?? new Map())
      const sessions = new Set(all.flatMap(({ session }) => session ?? []))
      return {
        file: notebookFile(notesDirectory),
        notes: all.length,
        sessions: sessions.size,
        pending: touched.length + gone.length,
        index: (await reader?.state()) ?? null,
      }
    },
    async refresh(request) {
      if (await isIndexed()) return []
      const run = () => index({ ...request, stage: 'first' })
      const reader = await shelf.openIfThere()
      if (reader === null) {
        await run()
        return []
      }
      return orWarn(reader, async () => {
        await run()
        return []
      })
    },
    door: {
      isThere: () => notebook.isThere(),
      add: (paths, request = {}) => addFiles(notebook, paths, request, now()),
      remember: (text, request = {}) => remember(notebook, text, request, now()),
      forget: id => forget(notebook, shelf, id),
      list: filter => notebook.list(filter),
      show: name => showNote(notebook, name),
      remove: names => removeNotes(notebook, names),
      // The library that checks what comes in takes a while to load.
      export: async () => (await import('./export.js')).exportNotes(notebook),
      import: async (path, request = {}) =>
        (await import('./export.js')).importNotes(notebook, path, request),
    },
    async close() {
      await shelf.close()
      notebook.close()
    },
  }
}
