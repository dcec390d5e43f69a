/** Documents and checks that all tests of the chunker share. */

import { expect } from 'vitest'
import type { Chunk, SourceDocument } from '../../../dist/core/types.js'

export const documentOf = (path: string, language: string, text: string): SourceDocument => ({
  kind: 'code',
  path,
  language,
  text,
  contentHash: 'hash',
  stamp: 'stamp',
  time: 0,
})

const GIANT = 4_000

/** Lines as git and editors count them. */
export const linesOf = (text: string): string[] => {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text
  const lines = bare.includes('\n') ? bare.split(/\r\n|\n/) : bare.split('\r')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Chunks are whole lines in order; each line that is not blank is in exactly one, or in the windows of one. */
export const expectCover = (text: string, chunks: readonly Chunk[], budget = 1_500): void => {
  const lines = linesOf(text)
  const windows = new Map<number, string>()
  const covered = new Set<number>()
  let last = 0
  for (const chunk of chunks) {
    const giant = (lines[chunk.startLine - 1]?.length ?? 0) > Math.max(GIANT, budget)
    expect(chunk.text.trim()).not.toBe('')
    expect(chunk.text.length).toBeLessThanOrEqual(Math.max(GIANT, budget * 1.15))
    if (giant) {
      expect(chunk.endLine).toBe(chunk.startLine)
      windows.set(chunk.startLine, (windows.get(chunk.startLine) ?? '') + chunk.text)
    } else {
      expect(chunk.startLine).toBeGreaterThan(last)
      expect(chunk.text).toBe(lines.slice(chunk.startLine - 1, chunk.endLine).join('\n'))
      for (let line = chunk.startLine; line <= chunk.endLine; line += 1) covered.add(line)
    }
    last = chunk.endLine
    for (const symbol of chunk.symbols) {
      expect(symbol.line).toBeGreaterThanOrEqual(chunk.startLine)
      expect(symbol.line).toBeLessThanOrEqual(chunk.endLine)
    }
  }
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const window = windows.get(index + 1)
    if (window === undefined) expect(covered.has(index + 1), `line ${index + 1} is in no chunk`).toBe(true)
    else expect(window.replace(/\s/g, '')).toBe(line.replace(/\s/g, ''))
  }
}
