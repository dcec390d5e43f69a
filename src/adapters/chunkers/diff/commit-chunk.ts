/** The first chunk of a commit: the one that is searched. Its fields hold what the diff says, sorted by what it is worth. */

import type { Chunk, CodeSymbol, FieldTexts, SourceDocument } from '../../../core/types.js'
import { isChangelogPath, isDocumentationPath, isTestPath } from '../../../text/file-role.js'
import { ADDED, type FileSection, REMOVED } from './parse-diff.js'

/** A giant commit is found by its first 200 KB as well as by all of it. */
const FIELD_CHARACTERS = 200_000
const MESSAGE_CHARACTERS = 8_192
const MOST_SYMBOLS = 64
/** Nobody wrote a longer one by hand. */
const LONGEST_LINE = 1_000

/** What embedders read has room for so much: it was chosen by measurement on issue texts. */
const HEADER_BODY_CHARACTERS = 200
const HEADER_PATHS = 4
const HEADER_SYMBOLS = 7

/** A file of the commit with the chunks of its hunks. */
export interface FileChange {
  readonly section: FileSection
  readonly chunks: readonly Chunk[]
}

export const commitChunk = (document: SourceDocument, changes: readonly FileChange[]): Chunk => {
  const message = (document.commit?.message ?? '').trimEnd()
  const ranked = byWorth(changes)
  const names = distinct(ranked.flatMap(({ chunks }) => chunks.flatMap(chunk => chunk.symbols)))
  return {
    startLine: 1,
    endLine: countLines(message),
    text: message,
    header: headerOf(message, ranked, names),
    symbols: names.slice(0, MOST_SYMBOLS),
    fields: fieldsOf(document, message, ranked, names),
  }
}

const fieldsOf = (
  document: SourceDocument,
  message: string,
  ranked: readonly FileChange[],
  names: readonly CodeSymbol[],
): FieldTexts => {
  const body = collector()
  const tests = collector()
  const removed = collector()
  const notes = collector()
  for (const { section } of ranked) {
    const added = isChangelogPath(section.path) ? notes : isTestPath(section.path) ? tests : body
    collectLines(document.text, section, added, removed)
  }
  const paths = new Set(ranked.flatMap(({ section }) => [section.path, section.oldPath]))
  for (const { path } of document.omitted ?? []) paths.add(path)
  return {
    title: cut(firstLine(message), MESSAGE_CHARACTERS),
    header: cut(withoutTrailers(message), MESSAGE_CHARACTERS),
    path: joined(paths),
    symbols: joined(names.map(symbol => symbol.qualifiedName)),
    body: body.text(),
    tests: tests.text(),
    removed: removed.text(),
    notes: notes.text(),
  }
}

const headerOf = (message: string, ranked: readonly FileChange[], names: readonly CodeSymbol[]): string =>
  [
    cut(firstLine(message), MESSAGE_CHARACTERS),
    cut(bodyOf(message), HEADER_BODY_CHARACTERS),
    [...new Set(ranked.map(({ section }) => section.path))].slice(0, HEADER_PATHS).join(' '),
    [...new Set(names.map(symbol => symbol.name))].slice(0, HEADER_SYMBOLS).join(' '),
  ]
    .filter(part => part !== '')
    .join('\n')

/** Who signed, reviewed or imported a commit says nothing about what it does. */
const TRAILER =
  /^(?:(?:signed-off|co-authored|reviewed|acked|tested|reported|suggested|approved|submitted)-by|cc|change-id|git-svn-id|gitorigin-revid)\s*:/i

/** Enough to find 200 characters between trailers and blank lines. */
const BODY_SEARCHED = 2_000

const bodyOf = (message: string): string =>
  withoutTrailers(message.slice(firstLine(message).length, BODY_SEARCHED))
    .replace(/\s+/g, ' ')
    .trim()

const withoutTrailers = (message: string): string =>
  message
    .split('\n')
    .filter(line => !TRAILER.test(line))
    .join('\n')

const firstLine = (message: string): string => {
  const end = message.indexOf('\n')
  return end < 0 ? message : message.slice(0, end).trimEnd()
}

/** Code before tests, these before prose, and what tells of releases last; otherwise as the diff has them. */
const byWorth = (changes: readonly FileChange[]): FileChange[] =>
  changes
    .map(change => ({ change, rank: rankOf(change.section.path) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ change }) => change)

const rankOf = (path: string): number => {
  if (isChangelogPath(path)) return 3
  if (isDocumentationPath(path)) return 2
  return isTestPath(path) ? 1 : 0
}

const distinct = (symbols: readonly CodeSymbol[]): CodeSymbol[] => {
  const byName = new Map<string, CodeSymbol>()
  for (const symbol of symbols)
    if (!byName.has(symbol.qualifiedName)) byName.set(symbol.qualifiedName, symbol)
  return [...byName.values()]
}

interface Collector {
  /** False once it is full. */
  add(line: string): boolean
  full(): boolean
  text(): string
}

const collector = (): Collector => {
  const lines: string[] = []
  let room = FIELD_CHARACTERS
  return {
    add: line => {
      lines.push(room < line.length ? cut(line, room) : line)
      room -= line.length + 1
      return room > 0
    },
    full: () => room <= 0,
    text: () => lines.join('\n'),
  }
}

const collectLines = (text: string, section: FileSection, added: Collector, removed: Collector): void => {
  for (const { lines, end } of section.hunks) {
    if (added.full() && removed.full()) return
    for (let index = 0; index < lines.length; index += 1) {
      const start = lines[index] as number
      const sign = text.charCodeAt(start)
      if (sign !== ADDED && sign !== REMOVED) continue
      const target = sign === ADDED ? added : removed
      if (target.full()) continue
      const next = lines[index + 1]
      const line = text.slice(start + 1, next === undefined ? end : next - 1)
      if (line.length <= LONGEST_LINE) target.add(line)
    }
  }
}

const joined = (items: Iterable<string>): string => {
  const all = collector()
  for (const item of items) if (!all.add(item)) break
  return all.text()
}

const countLines = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Never through the middle of a character. */
const cut = (text: string, length: number): string => {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}
