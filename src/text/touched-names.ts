/** Which names a hunk touches, by where they stand in a version of the file that it makes or leaves behind. Pure. */

import type { CodeSymbol, NamedRange } from '../core/types.js'
import { hunkLines } from './hunk-lines.js'

/** The version that tells: the one behind the change, unless nothing but lines of the one before it is in the hunk. */
export const tellingSide = (hunk: string): 'before' | 'after' | null => {
  const signs = new Set(hunkLines(hunk).map(line => line?.sign))
  return signs.has('+') ? 'after' : signs.has('-') ? 'before' : null
}

/** The innermost names around the changed lines, in order. `ranges` as parsers give them: outer ones first. */
export const touchedNames = (
  hunk: string,
  side: 'before' | 'after',
  ranges: readonly NamedRange[],
): readonly CodeSymbol[] => {
  const touched = new Map<string, CodeSymbol>()
  const texts = hunk.split('\n')
  const own = side === 'after' ? '+' : '-'
  hunkLines(hunk).forEach((line, index) => {
    if (line === null || line.sign === ' ' || texts[index]!.slice(1).trim() === '') return
    const at = line[side]
    // A line of the other side stood between two of this one.
    const first = line.sign === own ? at : at - 1
    const around = ranges.filter(({ startLine, endLine }) => startLine <= first && at <= endLine)
    const smallest = Math.min(...around.map(({ startLine, endLine }) => endLine - startLine))
    for (const range of around) {
      if (range.endLine - range.startLine > smallest) continue
      const { name, kind, qualifiedName, line: defined } = range
      if (!touched.has(qualifiedName))
        touched.set(qualifiedName, { name, kind, qualifiedName, line: defined })
    }
  })
  return [...touched.values()]
}
