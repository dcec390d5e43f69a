/** From units to chunks without their text: what a worker sends back, and what plain files go through without a worker. */

import type { CodeSymbol } from '../../../core/types.js'
import { headerOf } from './chunk-header.js'
import { pack } from './pack.js'
import type { SourceText } from './source-text.js'
import type { Definition, Unit } from './unit.js'

/** A chunk that still has to be sliced out of the text. */
export interface ChunkPlace {
  readonly startLine: number
  readonly endLine: number
  readonly start: number
  readonly end: number
  readonly header: string
  readonly symbols: readonly CodeSymbol[]
}

/** Everything that was found in a document. */
export interface Outline {
  readonly units: readonly Unit[]
  /** All definitions, those inside parts as well, by offset. */
  readonly definitions: readonly Definition[]
}

export const NO_OUTLINE: Outline = { units: [], definitions: [] }

export const cutText = (source: SourceText, outline: Outline, path: string, budget: number): ChunkPlace[] => {
  let at = 0
  return pack(source, outline.units, budget).map(cut => {
    const symbols: CodeSymbol[] = []
    for (; at < outline.definitions.length && outline.definitions[at]!.offset < cut.end; at += 1) {
      const { name, kind, qualifiedName, row } = outline.definitions[at]!
      symbols.push({ name, kind, qualifiedName, line: row + 1 })
    }
    return {
      startLine: cut.startRow + 1,
      endLine: cut.endRow + 1,
      start: cut.start,
      end: cut.end,
      header: headerOf(source, path, cut),
      symbols,
    }
  })
}
