/**
 * Walks a syntax tree into units: the one walk for all languages, steered by their tables. It goes down into containers
 * and into what is too large for a chunk, and nowhere else, since every node costs calls into the parser.
 */

import type { Node } from 'web-tree-sitter'
import type { Outline } from './cut-text.js'
import { follow } from './follow-path.js'
import type { LanguageTable, Rule } from './languages/table.js'
import { OUTERMOST, readDefinition, type Scope } from './read-definition.js'
import { isBlank, rowAt, type SourceText, sizeOf } from './source-text.js'
import { addUnit, type Definition, fuse, joinClause, type Unit } from './unit.js'

/** Deeper nesting than this is hostile or generated. */
const MAXIMUM_DEPTH = 100

const COMMENT = /comment/
/** Nothing inside of these is worth a call. */
const OPAQUE = /comment|string|heredoc|regex|jsx_text/

export const outlineTree = (
  root: Node,
  table: LanguageTable,
  source: SourceText,
  budget: number,
): Outline => {
  const definitions = new Set<Definition>()

  const visit = (parent: Node, scope: Scope): Unit[] => {
    const units: Unit[] = []
    if (scope.depth < MAXIMUM_DEPTH)
      for (const node of parent.namedChildren) if (node) visitNode(units, node, scope)
    return units
  }

  const visitNode = (units: Unit[], node: Node, scope: Scope): void => {
    const { type } = node
    const endIndex = node.endIndex
    if (endIndex === node.startIndex) return
    const start = rowAt(source, node.startIndex)
    let end = rowAt(source, endIndex - 1)
    while (end > start && isBlank(source, end)) end -= 1
    const rows = { start, end, leading: false }
    const rule = ruleFor(node, type)
    const deeper = { ...scope, depth: scope.depth + 1 }
    if (rule?.wrapper || type === 'ERROR') {
      const parts = visit(node, deeper)
      const only = parts.length === 1 ? parts[0] : undefined
      place(
        units,
        only
          ? { ...only, ...rows }
          : { ...rows, definitions: parts.flatMap(part => part.definitions), parts },
      )
      return
    }
    // A single row cannot be cut at its nodes, however long it is.
    const large = end > start && sizeOf(source, start, end) > budget
    const reading = rule && readDefinition(node, rule, scope, source)
    if (!rule || !reading) {
      const parts = large && !OPAQUE.test(type) ? visit(node, deeper) : []
      const inner = rule?.also ? visitAlso(node, rule.also, deeper) : []
      const leading = COMMENT.test(type) || (table.leading?.includes(type) ?? false)
      const unit = {
        ...rows,
        leading,
        definitions: inner.flatMap(part => part.definitions),
        parts: parts.length > 0 ? parts : inner,
      }
      if (table.trailing?.includes(type) && units.length > 0)
        units[units.length - 1] = fuse(units.at(-1)!, unit)
      else addUnit(units, unit)
      return
    }
    for (const definition of reading.definitions) definitions.add(definition)
    const inner = rule.also ? visitAlso(node, rule.also, deeper) : []
    const parts = reading.body
      ? visit(reading.body, reading.inside)
      : large
        ? visit(node, reading.inside)
        : inner
    place(units, {
      ...rows,
      definitions: [...reading.labels, ...inner.flatMap(part => part.definitions)],
      container: reading.labels[0],
      parts,
      joins: rule.joins,
    })
  }

  const place = (units: Unit[], unit: Unit): void => {
    const above = units.at(-1)
    const [definition] = unit.definitions
    const continues = above?.joins && unit.joins && unit.start > above.end
    if (continues && above.definitions.some(({ name }) => name === definition?.name)) {
      definitions.delete(definition!)
      units[units.length - 1] = joinClause(above, unit)
    } else addUnit(units, unit)
  }

  const visitAlso = (node: Node, path: string, scope: Scope): Unit[] => {
    const units: Unit[] = []
    const child = follow(node, path)
    if (child && table.rules.has(child.type)) visitNode(units, child, scope)
    return units
  }

  const ruleFor = (node: Node, type: string): Rule | undefined => {
    const rule = table.rules.get(type)
    if (!rule?.keyword) return rule
    const at = follow(node, rule.keyword.at)
    const word = at ? source.text.slice(at.startIndex, at.endIndex) : ''
    return Object.hasOwn(rule.keyword.words, word) ? rule.keyword.words[word] : undefined
  }

  const units = visit(root, OUTERMOST)
  return { units, definitions: [...definitions].sort((one, other) => one.offset - other.offset) }
}
