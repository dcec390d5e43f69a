/**
 * Turns units into cuts of about one budget each: neighbours are merged while they fit, a unit that is too large is cut at
 * its parts, and what has no parts is cut by rows. Every row that is not blank ends up in exactly one cut.
 */

import { isBlank, type SourceText, sizeOf } from './source-text.js'
import { STRETCH, type Stretch, splitRows, stretchOf } from './split-rows.js'
import type { Definition, Unit } from './unit.js'

/** A stretch of the text with what its header is made from. */
export interface Cut extends Stretch {
  /** The definitions it lies in, outermost first. */
  readonly containers: readonly Definition[]
  /** The definitions it holds. */
  readonly definitions: readonly Definition[]
}

/** A piece smaller than this share of the budget is not worth a chunk of its own if a neighbour can take it. */
const SCRAP = 0.15

/** Deeper than any code that people write; what is nested further is cut by rows. */
const MAXIMUM_DEPTH = 100

export const pack = (source: SourceText, units: readonly Unit[], budget: number): Cut[] => {
  const cuts: Cut[] = []
  if (source.rows > 0) packInto(cuts, { source, budget }, units, { start: 0, end: source.rows - 1 }, [], 0)
  return cuts
}

interface Context {
  readonly source: SourceText
  readonly budget: number
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly definitions: readonly Definition[]
}

const packInto = (
  cuts: Cut[],
  context: Context,
  units: readonly Unit[],
  range: { start: number; end: number },
  containers: readonly Definition[],
  depth: number,
): void => {
  const { source, budget } = context
  let open: Piece | undefined
  const close = (): void => {
    const stretch = open && stretchOf(source, open.start, open.end)
    if (open && stretch) addCut(cuts, context, { ...stretch, containers, definitions: open.definitions })
    open = undefined
  }
  for (const { start, end, unit } of segments(source, units, range)) {
    const piece: Piece = { start, end, definitions: unit?.definitions ?? [] }
    if (open && sizeOf(source, open.start, end) <= budget) {
      open = { start: open.start, end, definitions: [...open.definitions, ...piece.definitions] }
    } else if (sizeOf(source, start, end) <= budget) {
      close()
      open = piece
    } else {
      // A line or two in front (`'use strict'`, a shebang) goes with what follows.
      const from = open && isScrap(context, open.start, open.end) ? open.start : start
      if (from !== start) open = undefined
      close()
      const inside = unit?.container ? [...containers, unit.container] : containers
      if (unit && unit.parts.length > 0 && depth < MAXIMUM_DEPTH) {
        packInto(cuts, context, unit.parts, { start: from, end }, inside, depth + 1)
      } else {
        for (const stretch of splitRows(source, from, end, budget)) {
          addCut(cuts, context, { ...stretch, containers: inside, definitions: [] })
        }
      }
    }
  }
  close()
}

const isScrap = ({ source, budget }: Context, start: number, end: number): boolean =>
  sizeOf(source, start, end) < budget * SCRAP

/** Adds a cut, or widens the one before: what lies in the same definition and fits belongs together. */
const addCut = (cuts: Cut[], context: Context, cut: Cut): void => {
  const before = cuts.at(-1)
  if (before && before.containers === cut.containers && before.endRow < cut.startRow) {
    const scrap =
      isScrap(context, cut.startRow, cut.endRow) || isScrap(context, before.startRow, before.endRow)
    const limit = scrap ? context.budget * STRETCH : context.budget
    if (sizeOf(context.source, before.startRow, cut.endRow) <= limit) {
      const definitions = [...before.definitions, ...cut.definitions]
      cuts[cuts.length - 1] = { ...before, endRow: cut.endRow, end: cut.end, definitions }
      return
    }
  }
  cuts.push(cut)
}

interface Segment {
  readonly start: number
  readonly end: number
  readonly unit: Unit | undefined
}

/**
 * Shares out the rows of a range among its units. Rows between two units go with the one above as far as the next blank
 * row (closing brackets), and from there on with the one below; what stands in front of the first goes with the first.
 */
const segments = (
  source: SourceText,
  units: readonly Unit[],
  { start, end }: { start: number; end: number },
): Segment[] => {
  if (units.length === 0) return [{ start, end, unit: undefined }]
  let from = start
  return units.map((unit, index) => {
    const next = units[index + 1]
    let to = unit.end
    const limit = next ? next.start - 1 : end
    while (to < limit && !(next && isBlank(source, to + 1))) to += 1
    const segment = { start: from, end: to, unit }
    from = to + 1
    return segment
  })
}
