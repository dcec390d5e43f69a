/**
 * Walks a syntax tree into units: the one walk for all languages, steered by their tables. It goes down into containers
 * and into what is too large for a chunk, and nowhere else, since every node costs calls into the parser.
 */

import type { Node } from 'web-tree-sitter'
import type { Outline } from './cut-text.js'
import { follow } from './follow-path.js'
import { type LanguageTable, type Rule, WRAPPER } from './languages/table.js'
import { OUTERMOST, readDefinition, type Scope } from './read-definition.js'
import { isBlank, rowAt, type SourceText, sizeOf } from './source-text.js'
import { addUnit, type Definition, fuse, joinClause, type Unit } from './unit.js'

/** Deeper nesting than this is hostile or generated. */
const MAXIMUM_DEPTH = 100

const LONGEST_WORD = 100

/** Minified code would be read once for every call around it. */
const LONGEST_LOOK = 4_000

export const outlineTree = (
  root: Node,
  table: LanguageTable,
  source: SourceText,
  budget: number,
): Outline => {
  const definitions = new Set<Definition>()

  const visit = (parent: Node, scope: Scope): Unit[] => {
    const units: Unit[] = []
    if (scope.depth >= MAXIMUM_DEPTH) return units
    for (const node of parent.namedChildren) if (node) visitNode(units, node, scope)
    return units
  }

  const visitNode = (units: Unit[], node: Node, scope: Scope): void => {
    const { type, endIndex } = node
    if (endIndex === node.startIndex) return
    const start = rowAt(source, node.startIndex)
    let end = rowAt(source, endIndex - 1)
    while (end > start && isBlank(source, end)) end -= 1
    const rule = ruleFor(node, type)
    // A single row cannot be cut at its nodes, however long it is.
    const large = end > start && sizeOf(source, start, end) > budget
    if (rule?.wrapper && (!rule.holds || (!large && holds(rule.holds, node)))) {
      const parts = visit((rule.body && follow(node, rule.body)) || node, deeper(scope))
      const only = parts.length === 1 ? parts[0] : undefined
      const whole = only ?? { definitions: parts.flatMap(part => part.definitions), parts }
      place(units, { ...whole, start, end, leading: false })
      return
    }
    const reading = rule && !rule.wrapper && readDefinition(node, rule, scope, source)
    const also = rule?.also && !scope.local ? visitOne(node, rule.also, deeper(scope)) : []
    if (rule && reading) {
      for (const definition of reading.definitions) definitions.add(definition)
      const parts = reading.body
        ? visit(reading.body, reading.inside)
        : large
          ? visit(reading.inner, reading.inside)
          : also
      const labels = [...reading.labels, ...also.flatMap(part => part.definitions)]
      const container = reading.labels[0]
      place(units, { start, end, leading: false, definitions: labels, container, parts, joins: rule.joins })
      return
    }
    const parts = large && !isOpaque(type) ? visit(node, deeper(scope)) : also
    const isLeading = isComment(type) || (table.leading?.includes(type) ?? false)
    if (isLeading && reachesOver(node.startIndex, end)) end += 1
    const unit = {
      start,
      end,
      leading: isLeading,
      definitions: also.flatMap(part => part.definitions),
      parts,
    }
    const above = units.at(-1)
    if (above && table.trailing?.includes(type)) units[units.length - 1] = fuse(above, unit)
    else addUnit(units, unit)
  }

  const visitOne = (node: Node, path: string, scope: Scope): Unit[] => {
    const units: Unit[] = []
    const child = follow(node, path)
    if (child && table.rules.has(child.type)) visitNode(units, child, scope)
    return units
  }

  /** What the parser could not read is looked through: there may be whole definitions in it. */
  const ruleFor = (node: Node, type: string): Rule | undefined => {
    const rule = type === 'ERROR' ? WRAPPER : table.rules.get(type)
    if (!rule?.keyword) return rule
    const { words = {}, patterns = [], otherwise } = rule.keyword
    const at = follow(node, rule.keyword.at)
    const word = at
      ? source.text.slice(at.startIndex, Math.min(at.endIndex, at.startIndex + LONGEST_WORD))
      : ''
    if (Object.hasOwn(words, word)) return words[word]
    return patterns.find(([pattern]) => pattern.test(word))?.[1] ?? otherwise
  }

  const holds = (pattern: RegExp, { startIndex, endIndex }: Node): boolean =>
    endIndex - startIndex <= LONGEST_LOOK && pattern.test(source.text.slice(startIndex, endIndex))

  const reachesOver = (offset: number, end: number): boolean => {
    const { remote } = table
    if (!remote || end + 2 >= source.rows || !isBlank(source, end + 1) || isBlank(source, end + 2))
      return false
    remote.lastIndex = offset
    return remote.test(source.text)
  }

  const place = (units: Unit[], unit: Unit): void => {
    const above = units.at(-1)
    const [definition] = unit.definitions
    const continues = above?.joins && unit.joins && unit.start > above.end
    if (continues && definition && above.definitions.some(({ name }) => name === definition.name)) {
      definitions.delete(definition)
      units[units.length - 1] = joinClause(above, unit)
    } else addUnit(units, unit)
  }

  const units = visit(root, OUTERMOST)
  return { units, definitions: [...definitions].sort((one, other) => one.offset - other.offset) }
}

const deeper = (scope: Scope): Scope => ({ ...scope, depth: scope.depth + 1 })

/** Remembers the answer for each type: there are some hundred types and millions of nodes. */
const ofType = (pattern: RegExp): ((type: string) => boolean) => {
  const known = new Map<string, boolean>()
  return type => {
    const before = known.get(type)
    if (before !== undefined) return before
    const answer = pattern.test(type)
    known.set(type, answer)
    return answer
  }
}

const isComment = ofType(/comment/)

/** Nothing inside of these is worth a call. */
const isOpaque = ofType(/comment|string|heredoc|regex|jsx_text/)
