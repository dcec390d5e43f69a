/** What a hit is called: of the names that its chunk defines, the one around the best line, or the one that a comment stands before. */

import type { CodeSymbol } from '../core/types.js'
import { bestLine, type Numbered } from './snippet.js'

/** Null where the best line belongs to none of them: imports, or the rest of what an earlier chunk begins. */
export const shownSymbol = (
  chunk: Numbered & { readonly symbols: readonly CodeSymbol[] },
  words: ReadonlySet<string>,
): string | null => {
  const { symbols, startLine, text } = chunk
  if (symbols.length === 0) return null
  const lines = text.split('\n')
  const lineAt = (line: number): string => lines[line - startLine] ?? ''
  if (symbols.length === 1 && isAllOf(symbols[0]!, startLine, lines.length, lineAt))
    return symbols[0]!.qualifiedName
  const best = bestLine(chunk, words)
  // Found by what it means: all of it is the answer.
  if (best === null) return symbols[0]!.qualifiedName
  const next = symbols.find(({ line }) => line > best)
  if (next && best >= introduction(next.line, startLine, lineAt)) return next.qualifiedName
  return (
    symbols.findLast(symbol => symbol.line <= best && !isOver(symbol, best, lineAt))?.qualifiedName ?? null
  )
}

type LineAt = (line: number) => string

/** Then the best line, which takes time to find, does not matter. */
const isAllOf = (symbol: CodeSymbol, top: number, count: number, lineAt: LineAt): boolean =>
  introduction(symbol.line, top, lineAt) === top && !isOver(symbol, top + count - 1, lineAt)

/** Where the comments and decorators before a definition begin. */
const introduction = (line: number, top: number, lineAt: LineAt): number => {
  const depth = indent(lineAt(line))
  const upTo = (from: number, isFirst: (text: string) => boolean): number => {
    let at = from
    while (at >= top && !isFirst(lineAt(at))) at--
    return at
  }
  let first = line
  while (first > top) {
    const before = lineAt(first - 1)
    const opening = COMMENT_END.test(before)
      ? upTo(first - 1, text => COMMENT_START.test(text))
      : CLOSING.test(before)
        ? upTo(first - 2, text => text.trim() !== '' && indent(text) <= depth)
        : first - 1
    const isKnown = COMMENT_START.test(lineAt(opening)) || BEFORE_A_NAME.test(lineAt(opening))
    if (opening < top || !isKnown) return first
    first = opening
  }
  return first
}

const COMMENT_START = /^\s*(?:\/\*|<!--|\(\*|\{-)/
const COMMENT_END = /(?:\*\/|-->|\*\)|-\})\s*$/
const BEFORE_A_NAME = /^\s*(?:\/\/|#|--|;|%|@|$)/

/**
 * A bracket that closes no further in than the definition begins ends it; a value ends with the first line that is not further
 * in. Where neither comes, as in languages without brackets, it goes on to the next name.
 */
const isOver = ({ kind, line: defined }: CodeSymbol, best: number, lineAt: LineAt): boolean => {
  if (kind === 'heading') return false
  const depth = indent(lineAt(defined))
  const isBack = (line: string): boolean => line.trim() !== '' && indent(line) <= depth
  for (let line = defined + 1; line <= best; line++) {
    if (!isBack(lineAt(line))) continue
    const isClosing = CLOSING.test(lineAt(line))
    if (isClosing ? line < best : VALUES.has(kind)) return true
  }
  return false
}

const VALUES: ReadonlySet<string> = new Set(['constant', 'variable', 'property'])
const CLOSING = /^\s*(?:[}\])]+[;,]*|end[;.]?)\s*$/

const indent = (line: string): number => line.length - line.trimStart().length
