/** What git says line by line becomes one group for each commit: which of the asked lines are its own, and where it has them. */

import type { BlamedLines } from '../../adapters/git/blame.js'
import type { GoneLines } from '../../adapters/git/lines-gone.js'
import { QuarryError } from '../../core/errors.js'
import type { LineSpan } from '../../core/explanation.js'
import type { Version } from './version.js'

/** The lines of one commit. */
export interface LineGroup {
  readonly sha: string
  readonly committed: number
  /** `gone`: all of the file, deleted or moved elsewhere. */
  readonly role: 'wrote' | 'removed' | 'gone'
  /** As asked for. */
  readonly lines: readonly LineSpan[]
  readonly count: number
  /** The same lines where the commit has them, or had them before it removed them; the file with most of them first. */
  readonly places: readonly { readonly path: string; readonly lines: readonly LineSpan[] }[]
}

/** One line of a commit: its number in the file that was asked about, and its place in the commit. */
interface PlacedLine {
  readonly line: number
  readonly path: string
  readonly original: number
}

export interface AskedLines {
  readonly start: number
  readonly end: number
}

/** The lines that are asked for, as far as the version can say before git is asked. */
export const askedLines = (
  path: string,
  place: { readonly startLine?: number; readonly endLine?: number },
  { lineCount }: Version,
): AskedLines | null => {
  const { startLine, endLine = startLine } = place
  const isNumber = (value: number | undefined) =>
    value === undefined || (Number.isSafeInteger(value) && value > 0)
  if (!isNumber(startLine) || !isNumber(endLine) || (endLine ?? 1) < (startLine ?? 1))
    throw new QuarryError('BAD_INPUT', `${startLine}-${endLine} is no range of lines`, {
      hint: 'quarry explain FILE:10-20',
    })
  if (lineCount === 0) throw isEmpty(path)
  if (lineCount !== null && endLine !== undefined && endLine > lineCount) throw tooFar(path, lineCount)
  if (lineCount === null && endLine === undefined) return null
  return { start: startLine ?? 1, end: endLine ?? lineCount! }
}

/** Where only git knew how long the file is: now it is known. */
export const checkBlamed = (
  path: string,
  asked: AskedLines | null,
  blamed: readonly BlamedLines[],
): AskedLines => {
  const last = blamed.reduce((most, { finalLine, count }) => Math.max(most, finalLine + count - 1), 0)
  if (last === 0) throw isEmpty(path)
  if (asked !== null && last < asked.end) throw tooFar(path, last)
  return asked ?? { start: 1, end: last }
}

/** The asked lines as git has to be asked for them. */
export const rangesToBlame = (asked: AskedLines, { matches }: Version): readonly LineSpan[] => {
  if (matches === null) return [[asked.start, asked.end]]
  return spansOf([...matches.subarray(asked.start - 1, asked.end)].filter(line => line > 0))
}

export const uncommittedLines = (asked: AskedLines, { matches }: Version): readonly LineSpan[] => {
  if (matches === null) return []
  const lines: number[] = []
  for (let line = asked.start; line <= asked.end; line++) if (matches[line - 1] === 0) lines.push(line)
  return spansOf(lines)
}

/** Newest first. */
export const groupBlamed = (
  blamed: readonly BlamedLines[],
  { matches }: Version,
  asked: AskedLines,
): LineGroup[] => {
  const linesAt = matches && new Map<number, number[]>()
  for (let line = asked.start; matches && linesAt && line <= asked.end; line++) {
    const same = linesAt.get(matches[line - 1]!)
    if (same) same.push(line)
    else linesAt.set(matches[line - 1]!, [line])
  }
  return grouped(
    'wrote',
    blamed.map(({ sha, committed, originalPath, originalLine, finalLine, count }) => ({
      ...{ sha, committed, path: originalPath, original: originalLine, line: finalLine, count },
    })),
    linesAt,
  )
}

export const groupGone = (gone: readonly GoneLines[]): LineGroup[] =>
  grouped(
    'removed',
    gone.map(({ sha, committed, lastPath, lastLine, line, count }) => ({
      ...{ sha, committed, path: lastPath, original: lastLine, line, count },
    })),
    null,
  )

const grouped = (
  role: LineGroup['role'],
  runs: readonly (PlacedLine & Pick<LineGroup, 'sha' | 'committed' | 'count'>)[],
  linesAt: ReadonlyMap<number, readonly number[]> | null,
): LineGroup[] => {
  const bySha = new Map<string, { committed: number; lines: PlacedLine[] }>()
  for (const { sha, committed, path, original, line, count } of runs) {
    const group = bySha.get(sha) ?? { committed, lines: [] }
    bySha.set(sha, group)
    for (let step = 0; step < count; step++) {
      const asked = linesAt ? (linesAt.get(line + step) ?? []) : [line + step]
      for (const one of asked) group.lines.push({ line: one, path, original: original + step })
    }
  }
  return [...bySha]
    .map(([sha, { committed, lines }]) => ({
      ...{ sha, committed, role, count: lines.length, places: placesOf(lines) },
      lines: spansOf(lines.map(({ line }) => line)),
    }))
    .sort((one, other) => other.committed - one.committed || other.count - one.count)
}

const placesOf = (lines: readonly PlacedLine[]): LineGroup['places'] => {
  const byPath = new Map<string, number[]>()
  for (const { path, original } of lines) {
    const placed = byPath.get(path)
    if (placed) placed.push(original)
    else byPath.set(path, [original])
  }
  return [...byPath]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([path, placed]) => ({ path, lines: spansOf(placed) }))
}

/** `3, 1, 2, 7` → `1–3, 7`. */
export const spansOf = (numbers: readonly number[]): LineSpan[] => {
  const spans: [number, number][] = []
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = spans.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else spans.push([number, number])
  }
  return spans
}

export const countOf = (spans: readonly LineSpan[]): number =>
  spans.reduce((sum, [start, end]) => sum + end - start + 1, 0)

const isEmpty = (path: string): QuarryError =>
  new QuarryError('BAD_INPUT', `${path} is empty: there are no lines to explain`, {
    hint: 'quarry explain FILE --at REVISION looks at another version',
  })

const tooFar = (path: string, lineCount: number): QuarryError =>
  new QuarryError('BAD_INPUT', `${path} has only ${lineCount} line${lineCount === 1 ? '' : 's'}`, {
    hint: `quarry explain ${path}:1-${lineCount}`,
  })
