/** Notes as the engine sees them: the notebook, the shelf of what is searched, and keeping the one up to date with the other. */

import { join } from 'node:path'
import { notebookFile, notebookSource, sqliteNotebook } from '../../adapters/notebook/index.js'
import { sqliteStore } from '../../adapters/stores/sqlite/index.js'
import type { IndexReport, Warning } from '../../core/answers.js'
import type { Notebook } from '../../core/notes.js'
import type { IndexRequest, SearchRequest } from '../api.js'
import { makeOrLook } from '../history-behind.js'
import { type Shelf, shelfOf } from '../shelf.js'
import type { TakeInParts } from '../take-in.js'
import { worthOfNotes } from '../worth-models.js'
import type { Notes, NotesStatus } from './api.js'

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
  const source = { ...plain, stamp: async () => `${(await openChunker()).id} ${await plain.stamp()}` }

  const index: OpenNotes['index'] = async request => {
    const chunker = await openChunker()
    const { prepareWith } = await import('../../indexing/prepare.js')
    const { takeIn } = await import('../take-in.js')
    const job = { source, chunkerId: chunker.id, prepareDocument: prepareWith(chunker), worth: worthOfNotes }
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
      return makeOrLook(shelf, run, async () => {
        await run()
        return []
      })
    },
    door: {
      isThere: () => notebook.isThere(),
      // Each is loaded by who needs it: a search of code opens the notes too.
      add: async (paths, request = {}) =>
        (await import('./add-files.js')).addFiles(notebook, paths, request, now()),
      remember: async (text, request = {}) =>
        (await import('./remember.js')).remember(notebook, text, request, now()),
      forget: async id => (await import('./forget.js')).forget(notebook, shelf, id),
      list: filter => notebook.list(filter),
      show: async name => (await import('./shelve.js')).showNote(notebook, name),
      remove: async names => (await import('./shelve.js')).removeNotes(notebook, names),
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

const openChunker = async () => (await import('../../adapters/chunkers/notes/index.js')).notesChunker()
