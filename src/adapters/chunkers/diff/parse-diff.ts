/**
 * Reads the diff of one commit, as `git log -p` prints it, into file sections and hunks. First step of the history chunker.
 * Hunks keep offsets into the text instead of copies: a history holds some ten million lines.
 */

import type { ChangedFile } from '../../../core/types.js'
import { unquotePath } from '../../../text/unquote-path.js'
import { pathOfSide, sharedPath } from './paths-of-sides.js'

export interface FileSection {
  /** After the change; before it where the change deletes the file. */
  readonly path: string
  readonly oldPath: string
  readonly change: ChangedFile['change']
  readonly hunks: readonly Hunk[]
}

export interface Hunk {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
  /** The line that git shows behind the second `@@`. */
  readonly context: string
  /** Offset of the `@@` line, and of what follows the last line without its line end. */
  readonly start: number
  readonly end: number
  /** Offset of the first character of each line below the `@@` line; that character says what the line is. */
  readonly lines: readonly number[]
}

export const ADDED = 43 // +
export const REMOVED = 45 // -
export const CONTEXT = 32
export const NO_NEWLINE = 92 // \ No newline at end of file
const LINE_FEED = 10

const HUNK_LINE = /@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@([^\n]*)/y

export const parseDiff = (text: string): FileSection[] => {
  const sections: FileSection[] = []
  let at = 0
  while (at < text.length) {
    if (text.startsWith('diff --', at)) {
      const section = readSection(text, at)
      if (section.file) sections.push(section.file)
      at = section.end
    } else at = nextLine(text, at)
  }
  return sections
}

interface Draft {
  path: string | null
  oldPath: string | null
  change: ChangedFile['change']
}

const readSection = (text: string, start: number): { file: FileSection | null; end: number } => {
  let at = nextLine(text, start)
  const draft = firstLine(text.slice(start, lineEnd(text, start)))
  // Stands until the first hunk: a removed line may read `--- a/x` as well.
  while (at < text.length && !text.startsWith('@@', at) && !text.startsWith('diff --', at)) {
    readHeaderLine(text, at, draft)
    at = nextLine(text, at)
  }
  const hunks: Hunk[] = []
  while (at < text.length && !text.startsWith('diff --', at)) {
    const hunk = readHunk(text, at)
    if (hunk) hunks.push(hunk)
    at = hunk ? hunk.end + 1 : nextLine(text, at)
  }
  const path = draft.path ?? draft.oldPath
  if (path === null || path === '') return { file: null, end: at }
  return { file: { path, oldPath: draft.oldPath ?? path, change: draft.change, hunks }, end: at }
}

const firstLine = (line: string): Draft => {
  const combined = /^diff --(?:cc|combined) (.*)/s.exec(line)?.[1]
  const path = combined === undefined ? sharedPath(line.slice('diff --git '.length)) : unquotePath(combined)
  return { path, oldPath: path, change: 'modified' }
}

const readHeaderLine = (text: string, at: number, draft: Draft): void => {
  const rest = (word: string): string | null =>
    text.startsWith(word, at) ? text.slice(at + word.length, lineEnd(text, at)) : null
  switch (text.charCodeAt(at)) {
    case 45: {
      const name = rest('--- ')
      if (name !== null) draft.oldPath = pathOfSide(name)
      return
    }
    case 43: {
      const name = rest('+++ ')
      if (name !== null) draft.path = pathOfSide(name)
      return
    }
    case 110: // n
      if (text.startsWith('new file', at)) draft.change = 'added'
      return
    case 100: // d
      if (text.startsWith('deleted file', at)) draft.change = 'deleted'
      return
    case 114: // r
    case 99: {
      const from = rest('rename from ') ?? rest('copy from ')
      const to = rest('rename to ') ?? rest('copy to ')
      if (from !== null) draft.oldPath = unquotePath(from)
      if (to !== null) draft.path = unquotePath(to)
      if (from !== null || to !== null) draft.change = text.charCodeAt(at) === 114 ? 'renamed' : 'copied'
    }
  }
}

const readHunk = (text: string, start: number): Hunk | null => {
  HUNK_LINE.lastIndex = start
  const match = HUNK_LINE.exec(text)
  if (!match) return null
  const oldCount = Number(match[2] ?? 1)
  const newCount = Number(match[4] ?? 1)
  const lines: number[] = []
  let oldLeft = oldCount
  let newLeft = newCount
  let end = HUNK_LINE.lastIndex
  // The counts, not the looks of a line, say where the hunk ends.
  while (end + 1 < text.length) {
    const at = end + 1
    const sign = text.charCodeAt(at)
    if (sign !== NO_NEWLINE) {
      if (oldLeft <= 0 && newLeft <= 0) break
      if (sign === ADDED) newLeft -= 1
      else if (sign === REMOVED) oldLeft -= 1
      else if (sign === CONTEXT || sign === LINE_FEED) {
        oldLeft -= 1
        newLeft -= 1
      } else break
    }
    lines.push(at)
    end = lineEnd(text, at)
  }
  return {
    oldStart: Number(match[1]),
    oldCount: oldCount - oldLeft,
    newStart: Number(match[3]),
    newCount: newCount - newLeft,
    context: (match[5] ?? '').trim(),
    start,
    end,
    lines,
  }
}

/** Where the line ends: at its line feed or at the end of the text. */
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

const nextLine = (text: string, at: number): number => lineEnd(text, at) + 1
