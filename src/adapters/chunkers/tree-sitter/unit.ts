/**
 * The shape a document is read into before it is cut: rows that belong together, the names they define, and the parts
 * they fall into when they are too large. Parsers and the Markdown reader make units, `pack` turns them into cuts.
 */

/** A name and where it stands. */
export interface Definition {
  readonly name: string
  readonly kind: string
  readonly qualifiedName: string
  /** Offset of the name in the text. */
  readonly offset: number
  readonly row: number
  /** A further name of what the definition before it names. */
  readonly alias?: boolean
}

/** Rows that belong together. Units of a list are in order and never share a row. */
export interface Unit {
  readonly start: number
  readonly end: number
  /** A comment, decorator or attribute: belongs to what follows. */
  readonly leading: boolean
  /** What the unit defines as a whole; names defined by its parts are theirs. */
  readonly definitions: readonly Definition[]
  /** The definition whose inside the parts are. */
  readonly container?: Definition | undefined
  /** Parts to cut at when the unit is larger than a chunk. */
  readonly parts: readonly Unit[]
  /** Continues a unit above that defines the same name: equations of a function, overloads. */
  readonly joins?: boolean | undefined
}

/** Adds a unit to a list: joins it with a comment right above it, and with a unit that shares a row. */
export const addUnit = (units: Unit[], unit: Unit): void => {
  const last = units.at(-1)
  if (last && unit.start <= last.end) units[units.length - 1] = fuse(last, unit)
  else if (last?.leading && unit.start === last.end + 1) units[units.length - 1] = lead(last, unit)
  else units.push(unit)
}

/** Two units on a shared row cannot be parted. */
export const fuse = (first: Unit, second: Unit): Unit => {
  const parts = [...first.parts]
  for (const part of second.parts) addUnit(parts, part)
  return {
    start: Math.min(first.start, second.start),
    end: Math.max(first.end, second.end),
    leading: first.leading && second.leading,
    definitions: [...first.definitions, ...second.definitions],
    container:
      first.definitions.length === 0
        ? second.container
        : second.definitions.length === 0
          ? first.container
          : undefined,
    parts,
  }
}

/** A further clause of what the unit above defines. */
export const joinClause = (above: Unit, clause: Unit): Unit => ({
  start: above.start,
  end: clause.end,
  leading: false,
  joins: true,
  definitions: above.definitions,
  parts: [...partsOf(above), { ...clause, definitions: above.definitions }],
})

/** A comment and what it speaks of: one unit, parted between them only if they are too large together. */
const lead = (comment: Unit, unit: Unit): Unit => ({
  start: comment.start,
  end: unit.end,
  leading: unit.leading,
  joins: unit.joins,
  definitions: unit.definitions,
  container: unit.parts.length > 0 ? unit.container : undefined,
  parts: [
    ...(comment.parts.length > 0 ? comment.parts : [comment]),
    ...(unit.parts.length > 0 ? unit.parts : [unit]),
  ],
})

/** The parts of a unit that is only the sum of them; a definition with an inside of its own is one part. */
const partsOf = (unit: Unit): readonly Unit[] =>
  unit.parts.length > 0 && !unit.container ? unit.parts : [unit]
