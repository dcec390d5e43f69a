/** From units to the rows that each name takes up, with the comments and decorators that belong to it. */

import type { NamedRange } from '../../../core/types.js'
import type { Unit } from './unit.js'

/** Outer names before those inside of them. */
export const nameRanges = (units: readonly Unit[]): NamedRange[] =>
  units.flatMap(({ start, end, definitions, parts }) => [
    ...definitions.map(({ name, kind, qualifiedName, row }) => ({
      name,
      // A block of members that is no symbol of its own, such as `impl Point`.
      kind: kind === '' ? 'implementation' : kind,
      qualifiedName,
      line: row + 1,
      startLine: start + 1,
      endLine: end + 1,
    })),
    ...nameRanges(parts),
  ])
