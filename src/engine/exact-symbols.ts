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

type Outline = Promise<readonly NamedRange[] | null>

/** By chunk; those of which no parse tells are absent. */
export type ExactSymbols = (
  chunks: readonly StoredChunk[],
  signal?: AbortSignal,
) => Promise<ReadonlyMap<ChunkId, readonly CodeSymbol[]>>

/** As many as a page of answers has. */
const MOST_CHUNKS = 20
const MOST_REMEMBERED = 256
const MOST_PLACES = 4_096
const LARGEST_FILE = 1 << 20
/** Beyond this the answer is worth more than the exact names. */
const PATIENCE_MS = 5_000

export const exactSymbols = (
  openRepository: () => Promise<Repository>,
  readOutline: ReadOutline,
): ExactSymbols => {
  const outlines = new Map<string, Outline>()
  const blobs = new Map<string, string>()

  const remember = (key: string, outline: Outline): Outline => {
    outlines.delete(key)
    outlines.set(key, outline)
    outline.catch(() => outlines.delete(key))
    forgetOldest(outlines, MOST_REMEMBERED)
    return outline
  }

  const read = async (questions: readonly Question[], signal: AbortSignal) => {
    const repository = await openRepository()
    const { prefix } = repository
    const places = questions.map(({ place }) =>
      prefix === '' ? place : { ...place, path: `${prefix}/${place.path}` },
    )
    return readFiles(repository, places, { maxBytes: LARGEST_FILE, signal })
  }

  return async (chunks, signal) => {
    const symbols = new Map<ChunkId, readonly CodeSymbol[]>()
    const patience = AbortSignal.timeout(PATIENCE_MS)
    const either = signal ? AbortSignal.any([signal, patience]) : patience
    try {
      const questions = chunks.slice(0, MOST_CHUNKS).flatMap(questionOf)
      const told: (readonly [Question, Outline])[] = []
      const unknown: Question[] = []
      for (const question of questions) {
        const blob = blobs.get(nameOf(question))
        const key = blob === undefined ? undefined : keyOf(blob, question.chunk)
        const outline = key === undefined ? undefined : outlines.get(key)
        if (outline) told.push([question, remember(key!, outline)])
        else unknown.push(question)
      }
      const files = unknown.length === 0 ? [] : await read(unknown, either)
      for (const [index, question] of unknown.entries()) {
        const file = files[index]
        if (!file) continue
        const { chunk, place } = question
        const key = keyOf(file.blob, chunk)
        blobs.set(nameOf(question), file.blob)
        const source = { path: place.path, language: chunk.language, text: file.text }
        told.push([question, remember(key, outlines.get(key) ?? readOutline(source, either))])
      }
      forgetOldest(blobs, MOST_PLACES)
      await Promise.all(
        told.map(async ([{ chunk, side }, outline]) => {
          const ranges = await outline
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

/** What a path holds at a commit never changes: its name is all that is needed to know it again. */
const nameOf = ({ place: { commit, before, path } }: Question): string =>
  `${commit}${before ? '^' : ''}:${path}`

/** The one that was asked for last is forgotten last. */
const forgetOldest = (kept: Map<string, unknown>, most: number): void => {
  for (const oldest of kept.keys()) {
    if (kept.size <= most) return
    kept.delete(oldest)
  }
}

/** The same bytes read otherwise in another language. */
const keyOf = (blob: string, { language }: StoredChunk): string => `${blob} ${language}`

interface Question {
  readonly chunk: StoredChunk
  readonly side: 'before' | 'after'
  /** Seen from the root of the index. */
  readonly place: FilePlace
}

const questionOf = (chunk: StoredChunk): Question[] => {
  const { file, commit, text } = chunk
  const side = tellingSide(text)
  if (!file || !commit || side === null) return []
  const path = side === 'before' ? (file.oldPath ?? file.path) : file.path
  return [{ chunk, side, place: { commit: commit.sha, before: side === 'before', path } }]
}
