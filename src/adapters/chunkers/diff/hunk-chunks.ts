/**
 * From the hunks of one file to the chunks that are shown: one each, over-large ones in parts that are hunks themselves. A file
 * that was only moved has no hunk; the lines in which git says so stand for it.
 */

import type { ChangedFile, Chunk } from '../../../core/types.js'
import { languageOf } from '../../../text/language.js'
import { definitionFinder, LINE_CHARACTERS } from './find-definition.js'
import { ADDED, CONTEXT, type FileSection, type Hunk, NO_NEWLINE, REMOVED } from './parse-diff.js'
import { touchedSymbols } from './touched-symbols.js'

/** More lines than anyone reads at once, and few enough that a stored chunk stays small. */
const PART_LINES = 400
const PART_CHARACTERS = 65_536

export const hunkChunks = (text: string, section: FileSection): Chunk[] => {
  const { path, change } = section
  const language = languageOf(path, openingLine(text, section.hunks[0]))
  const file: ChangedFile = {
    path,
    language,
    change,
    ...(change === 'renamed' || change === 'copied' ? { oldPath: section.oldPath } : {}),
  }
  if (section.hunks.length === 0) return file.oldPath === undefined ? [] : [moveChunk(file, file.oldPath)]
  return section.hunks.flatMap(hunk =>
    isLarge(hunk)
      ? inParts(text, hunk, language).map(part => chunkOf(partText(text, part), part, file, text))
      : [chunkOf(text.slice(hunk.start, hunk.end), hunk, file, text)],
  )
}

const chunkOf = (shown: string, hunk: Hunk, file: ChangedFile, text: string): Chunk => {
  const startLine = Math.max(1, hunk.newStart)
  return {
    startLine,
    endLine: Math.max(startLine, hunk.newStart + hunk.newCount - 1),
    text: shown,
    header: hunk.context,
    symbols: touchedSymbols(text, hunk, file.language),
    file,
    fields: null,
  }
}

const moveChunk = (file: ChangedFile, oldPath: string): Chunk => {
  const verb = file.change === 'copied' ? 'copy' : 'rename'
  return {
    startLine: 1,
    endLine: 1,
    text: `${verb} from ${onOneLine(oldPath)}\n${verb} to ${onOneLine(file.path)}`,
    header: '',
    symbols: [],
    file,
    fields: null,
  }
}

const onOneLine = (path: string): string => (/[\p{Cc}"\\]/u.test(path) ? JSON.stringify(path) : path)

/** The first line of the file, which may name an interpreter, if the hunk shows it. */
const openingLine = (text: string, hunk: Hunk | undefined): string => {
  const start = hunk?.lines[0]
  if (hunk === undefined || start === undefined || hunk.newStart > 1) return ''
  return text.slice(start + 1, Math.min(hunk.lines[1] ?? hunk.end, start + LINE_CHARACTERS)).trimEnd()
}

const isLarge = (hunk: Hunk): boolean =>
  hunk.lines.length > PART_LINES || hunk.end - hunk.start > PART_CHARACTERS

const inParts = (text: string, hunk: Hunk, language: string): Hunk[] => {
  const parts: Hunk[] = []
  let oldStart = hunk.oldStart
  let newStart = hunk.newStart
  let context = hunk.context
  let from = 0
  while (from < hunk.lines.length) {
    const to = partEnd(text, hunk, from)
    const lines = hunk.lines.slice(from, to)
    const start = lines[0] as number
    const end = to < hunk.lines.length ? (hunk.lines[to] as number) - 1 : hunk.end
    const signs = lines.map(at => text.charCodeAt(at))
    const added = signs.filter(sign => sign === ADDED).length
    const removed = signs.filter(sign => sign === REMOVED).length
    const same = signs.filter(sign => sign !== NO_NEWLINE).length - added - removed
    const oldCount = removed + same
    const newCount = added + same
    const part = { oldStart, oldCount, newStart, newCount, context, start, end, lines }
    parts.push(numberedLikeGit(part, hunk))
    oldStart += oldCount
    newStart += newCount
    context = lastDefinition(text, lines, end, language) ?? context
    from = to
  }
  return parts
}

/** A side without lines is named by the line before it. */
const numberedLikeGit = (part: Hunk, whole: Hunk): Hunk => ({
  ...part,
  oldStart: part.oldCount === 0 && whole.oldCount > 0 ? part.oldStart - 1 : part.oldStart,
  newStart: part.newCount === 0 && whole.newCount > 0 ? part.newStart - 1 : part.newStart,
})

const partEnd = (text: string, hunk: Hunk, from: number): number => {
  const start = hunk.lines[from] as number
  let to = from + 1
  while (to < hunk.lines.length) {
    const at = hunk.lines[to] as number
    const next = hunk.lines[to + 1] ?? hunk.end
    // A line and the remark that it has no line end stay together.
    const full = to - from >= PART_LINES || next - start > PART_CHARACTERS
    if (full && text.charCodeAt(at) !== NO_NEWLINE) break
    to += 1
  }
  return to
}

/** What git would show behind the `@@` of a hunk that begins below these lines. */
const lastDefinition = (
  text: string,
  lines: readonly number[],
  end: number,
  language: string,
): string | null => {
  const find = definitionFinder(language)
  if (!find) return null
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const start = lines[index] as number
    const sign = text.charCodeAt(start)
    if (sign !== ADDED && sign !== CONTEXT) continue
    const line = text.slice(start + 1, Math.min((lines[index + 1] ?? end + 1) - 1, start + LINE_CHARACTERS))
    const trimmed = line.trim()
    if (trimmed !== '' && find(trimmed, line.trimEnd() === trimmed, true)) return trimmed.slice(0, 80)
  }
  return null
}

const partText = (text: string, part: Hunk): string =>
  `@@ -${range(part.oldStart, part.oldCount)} +${range(part.newStart, part.newCount)} @@${part.context && ` ${part.context}`}\n${text.slice(part.start, part.end)}`

const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start},${count}`)
