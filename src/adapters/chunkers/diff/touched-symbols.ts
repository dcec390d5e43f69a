/**
 * Which names a hunk touches: definitions on its changed lines, and those on its context lines that a change lies in, else the
 * one that git shows behind the `@@`. Told from lines and their indentation, since a hunk is no whole program.
 */

import type { CodeSymbol } from '../../../core/types.js'
import { type Definition, definitionFinder, LINE_CHARACTERS } from './find-definition.js'
import { CONTEXT, type Hunk, NO_NEWLINE, REMOVED } from './parse-diff.js'

/** A definition that the lines below it may lie in. */
interface Open {
  readonly depth: number
  readonly symbol: CodeSymbol
}

const TAB = 9
const SPACE = 32
const HASH = 35
const CLOSING_BRACE = 125

/** Lines without headings lie below every heading, which is as deep as it has number signs. */
const PROSE_DEPTH = 7

/** These go on with the definition above them although they stand as far left: `{`, `) {`, `where`, `public:`. */
const CONTINUES = /[{)\]]|where\b|(?:public|private|protected)(?: +\w*slots)? *:(?!:)/y

/** Comments, annotations and attributes: they belong to what follows. */
const isLead = (code: number): boolean =>
  code === 64 || code === HASH || code === 47 || code === 42 || code === 91

/** Letters, `_`, `$`, `~`, `#`, `@` and everything beyond ASCII can begin a definition. */
const mayDefine = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 64 && code <= 90) ||
  code === 95 ||
  code === HASH ||
  code === 36 ||
  code === 126 ||
  code > 127

export const touchedSymbols = (text: string, hunk: Hunk, language: string): CodeSymbol[] => {
  const find = definitionFinder(language)
  if (!find) return []
  const markdown = language === 'markdown'
  const found = hunk.context === '' ? null : find(hunk.context.slice(0, LINE_CHARACTERS), true, false)
  const around: Open | null = found && { depth: 0, symbol: symbolOf(found, null, Math.max(1, hunk.newStart)) }
  const touched = new Map<string, CodeSymbol>()
  const open: Open[] = []
  let aroundOpen = around !== null
  /** What a changed comment touches unless a definition follows it. */
  let comment: Open | null = null
  let commentChanged = false
  /** Removed lines stand where the file goes on, and at its end on its last line. */
  const lastLine = hunk.newStart + Math.max(1, hunk.newCount) - 1
  let line = hunk.newStart

  const touch = (entry: Open | null): void => {
    if (entry) touched.set(entry.symbol.qualifiedName, entry.symbol)
  }

  for (let index = 0; index < hunk.lines.length; index += 1) {
    const start = hunk.lines[index] as number
    const sign = text.charCodeAt(start)
    if (sign === NO_NEWLINE) continue
    const number = Math.max(1, Math.min(line, lastLine))
    if (sign !== REMOVED) line += 1
    const next = hunk.lines[index + 1]
    const end = next === undefined ? hunk.end : next - 1
    const first = skipBlanks(text, start + 1, end)
    if (first >= end) continue
    const code = text.charCodeAt(first)
    const changed = sign !== CONTEXT
    const indentation = widthOf(text, start + 1, first)
    const depth = markdown ? headingDepth(text, first) : indentation
    const definition = mayDefine(code)
      ? find(text.slice(first, Math.min(end, first + LINE_CHARACTERS)).trimEnd(), indentation === 0, true)
      : null
    // Directives of the C preprocessor stand at the margin in the midst of functions.
    if (definition || code !== HASH || depth > 0) close(open, depth, text, first, code)
    const parent = open.at(-1) ?? (aroundOpen && depth > 0 ? around : null)
    if (definition) {
      const container = open.at(-1) ?? (around && depth > 0 && isContainer(around) ? around : null)
      const entry = { depth, symbol: symbolOf(definition, container, number) }
      if (changed || commentChanged) touch(entry)
      open.push(entry)
      if (around && !isContainer(around)) aroundOpen = false
      comment = null
      commentChanged = false
    } else if (isLead(code) && !markdown) {
      if (!changed) continue
      comment = parent
      commentChanged = true
    } else {
      if (commentChanged) touch(comment)
      commentChanged = false
      if (changed && code !== CLOSING_BRACE) touch(parent)
      if (depth === 0 && !continues(text, first)) aroundOpen = false
    }
  }
  if (commentChanged) touch(comment)
  if (touched.size === 0) touch(around)
  return [...touched.values()]
}

const isContainer = (entry: Open): boolean => CONTAINERS.has(entry.symbol.kind)
const CONTAINERS = new Set(
  'class interface struct enum trait module namespace object protocol extension implementation union record'.split(
    ' ',
  ),
)

/** Their names are sentences, not paths. */
const SENTENCES = new Set(['heading', 'test'])

const symbolOf = (definition: Definition, container: Open | null, line: number): CodeSymbol => {
  const { name, owner } = definition
  const member = owner !== undefined || (container !== null && isContainer(container))
  const local = owner === undefined ? name : `${owner}.${name}`
  const qualifiedName = container === null ? local : `${container.symbol.qualifiedName}.${local}`
  return {
    name: SENTENCES.has(definition.kind)
      ? name
      : name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1),
    kind: member && definition.kind === 'function' ? 'method' : definition.kind,
    qualifiedName: qualifiedName.includes('::') ? qualifiedName.replaceAll('::', '.') : qualifiedName,
    line,
  }
}

/** Leaves those definitions open that a line of this depth lies in. */
const close = (open: Open[], depth: number, text: string, first: number, code: number): void => {
  let last = open.at(-1)
  while (last && last.depth >= depth) {
    if (last.depth === depth && code !== CLOSING_BRACE && continues(text, first)) return
    open.pop()
    last = open.at(-1)
  }
}

const continues = (text: string, first: number): boolean => {
  CONTINUES.lastIndex = first
  return CONTINUES.test(text)
}

const skipBlanks = (text: string, start: number, end: number): number => {
  let at = start
  while (at < end) {
    const code = text.charCodeAt(at)
    if (code !== SPACE && code !== TAB && code !== 13) return at
    at += 1
  }
  return at
}

const widthOf = (text: string, start: number, first: number): number => {
  let width = 0
  for (let at = start; at < first; at += 1) width += text.charCodeAt(at) === TAB ? 4 : 1
  return width
}

const headingDepth = (text: string, first: number): number => {
  let at = first
  while (text.charCodeAt(at) === HASH) at += 1
  return at === first || at - first > 6 ? PROSE_DEPTH : at - first
}
