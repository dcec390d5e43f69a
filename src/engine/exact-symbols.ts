/**
 * Which names the shown hunks touch, by a parse of the very version of the file: what the index has of them is told by the
 * function line of the hunk. Done for what is shown and not for all, because parsing every version of every file would take
 * longer than everything else together (docs/history.md), and a version is parsed once while it is remembered.
 */

import { type FilePlace, readFiles } from '../adapters/git/read-files.js'
import type { Repository } from '../adapters/git/shadow.js'
import { QuarryError } from '../core/errors.js'
import type { ChunkId, CodeSymbol, NamedRange, StoredChunk } from '../core/types.js'
import { tellingSide, touchedNames } from '../text/touched-names.js'

/** Null where a text of this language cannot be parsed. */
export type ReadOutline = (
  file: { readonly path: string; readonly language: string; readonly text: string },
  signal?: AbortSignal,
) => Promise<readonly NamedRange[] | null>

/** By chunk; those of which no parse tells are absent. */
export type ExactSymbols = (
  chunks: readonly StoredChunk[],
  signal?: AbortSignal,
) => Promise<ReadonlyMap<ChunkId, readonly CodeSymbol[]>>

/** As many as a page of answers has. */
const MOST_CHUNKS = 20
const MOST_REMEMBERED = 256
const LARGEST_FILE = 1 << 20
/** Beyond this the answer is worth more than the exact names. */
const PATIENCE_MS = 5_000

export const exactSymbols = (
  openRepository: () => Promise<Repository>,
  readOutline: ReadOutline,
): ExactSymbols => {
  const outlines = new Map<string, Promise<readonly NamedRange[] | null>>()

  const remember = (
    key: string,
    outline: Promise<readonly NamedRange[] | null>,
  ): Promise<readonly NamedRange[] | null> => {
    // The one that was asked for last is forgotten last.
    outlines.delete(key)
    outlines.set(key, outline)
    outline.catch(() => outlines.delete(key))
    for (const oldest of outlines.keys()) {
      if (outlines.size <= MOST_REMEMBERED) break
      outlines.delete(oldest)
    }
    return outline
  }

  return async (chunks, signal) => {
    const symbols = new Map<ChunkId, readonly CodeSymbol[]>()
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const either = signal ? AbortSignal.any([signal, patience]) : patience
    try {
      const repository = await openRepository()
      const asked = chunks.slice(0, MOST_CHUNKS).flatMap(chunk => questionOf(chunk, repository.prefix))
      // Held here: while files are read, another answer may make it forget them.
      const known = new Map<number, Promise<readonly NamedRange[] | null>>()
      const isKnown = (blob: string, index: number): boolean => {
        const outline = outlines.get(keyOf(blob, asked[index]!.chunk))
        if (outline) known.set(index, outline)
        return outline !== undefined
      }
      const places = asked.map(({ place }) => place)
      const files = await readFiles(repository, places, { maxBytes: LARGEST_FILE, isKnown, signal: either })
      await Promise.all(
        asked.map(async ({ chunk, place, side }, index) => {
          const file = files[index]
          if (!file) return
          const key = keyOf(file.blob, chunk)
          const source = { path: place.path, language: chunk.language, text: file.text }
          const outline = known.get(index) ?? outlines.get(key) ?? readOutline(source, either)
          const ranges = await remember(key, outline)
          if (ranges) symbols.set(chunk.id, touchedNames(chunk.text, side, ranges))
        }),
      )
    } catch (error) {
      // Whatever cannot be read now, the answer stands with the names that the index has.
      if (!(error instanceof QuarryError) || signal?.aborted) throw error
    }
    return symbols
  }
}

/** The same bytes read otherwise in another language. */
const keyOf = (blob: string, { language }: StoredChunk): string => `${blob} ${language}`

interface Question {
  readonly chunk: StoredChunk
  readonly side: 'before' | 'after'
  readonly place: FilePlace
}

const questionOf = (chunk: StoredChunk, prefix: string): Question[] => {
  const { file, commit, text } = chunk
  const side = tellingSide(text)
  if (!file || !commit || side === null) return []
  const below = side === 'before' ? (file.oldPath ?? file.path) : file.path
  const path = prefix === '' ? below : `${prefix}/${below}`
  return [{ chunk, side, place: { commit: commit.sha, before: side === 'before', path } }]
}
