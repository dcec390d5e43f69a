/** Asks of one line whether it defines something, and what. Between the rules and the walk over a hunk. */

import { DEFINITION_RULES } from './languages/index.js'
import type { DefinitionRule } from './languages/rule.js'

export interface Definition {
  readonly name: string
  readonly kind: string
  /** The type that the line itself names as the one it belongs to. */
  readonly owner: string | undefined
}

/** A line is looked at this far: definitions say their names early, and minified files have lines of megabytes. */
export const LINE_CHARACTERS = 300

const KINDS: ReadonlyMap<string, string> = new Map([
  ...['def', 'defp', 'fn', 'func', 'fun', 'function', 'sub', 'proc', 'defdelegate'].map(
    word => [word, 'function'] as const,
  ),
  ['impl', 'implementation'],
  ['mod', 'module'],
  ['defmodule', 'module'],
  ['defprotocol', 'protocol'],
  ['defimpl', 'implementation'],
  ['define', 'macro'],
  ['macro_rules!', 'macro'],
  ['defmacro', 'macro'],
  ['defmacrop', 'macro'],
  ['defguard', 'macro'],
  ['defguardp', 'macro'],
  ['typealias', 'type'],
  ['newtype', 'type'],
  ['data', 'type'],
  ['const', 'constant'],
  ['static', 'constant'],
  ['var', 'variable'],
  ['@interface', 'annotation'],
  ['actor', 'class'],
  ['given', 'instance'],
  ['package object', 'object'],
])

export type FindDefinition = (line: string, margin: boolean, whole: boolean) => Definition | null

/** Null for languages in which lines do not tell. `line` begins at its first character and ends at its last. */
export const definitionFinder = (language: string): FindDefinition | null => {
  const rules = DEFINITION_RULES.get(language)
  return rules ? (line, margin, whole) => findDefinition(rules, line, margin, whole) : null
}

const findDefinition = (
  rules: readonly DefinitionRule[],
  line: string,
  margin: boolean,
  whole: boolean,
): Definition | null => {
  for (const rule of rules) {
    if (rule.margin && !margin) continue
    // The cheap questions first: most lines are no definitions.
    if (whole && rule.ends !== undefined && !rule.ends.includes(line.at(-1) as string)) continue
    if (rule.needs !== undefined && !line.includes(rule.needs)) continue
    const groups = rule.pattern.exec(line)?.groups
    if (!groups?.name) continue
    if (whole && rule.shape && !rule.shape.test(line)) continue
    return {
      name: groups.name.replace(/[`(]/g, '').trim(),
      kind: rule.kind ?? kindOf(groups.word ?? groups.call),
      owner: groups.owner,
    }
  }
  return null
}

const kindOf = (word = ''): string => {
  const bare = word.replace(/[ *].*/s, '')
  return KINDS.get(word) ?? KINDS.get(bare) ?? bare
}
