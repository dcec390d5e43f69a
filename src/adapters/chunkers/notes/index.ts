/** The chunker of notes: conversations by turn, Markdown by heading, other text by paragraph. */

import type { Chunker } from '../../../core/ports.js'
import type { Chunk, SourceDocument } from '../../../core/types.js'
import { cutLines } from './cut-lines.js'
import { cutMarkdown } from './markdown.js'
import { cutTurns } from './turns.js'

/** Raised whenever the same note would be cut otherwise. */
const REVISION = 2

export const notesChunker = (): Chunker => ({
  id: `notes/${REVISION}`,
  chunk: async document => cut(document),
  close: async () => {},
})

const cut = (document: SourceDocument): readonly Chunk[] => {
  if (document.language === 'conversation') return cutTurns(document.text)
  const lines = document.text.split('\n')
  if (document.language === 'markdown') return cutMarkdown(document.path, lines)
  // A remembered note has no name worth searching.
  const header = document.language === 'note' ? '' : document.path
  return cutLines(lines, 1).map(piece => ({
    ...piece,
    header,
    symbols: [],
    fields: { body: piece.text, path: header },
  }))
}
