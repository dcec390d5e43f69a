/** The words in which a language is described: which nodes define names, where the names stand, what can be cut open. */

/**
 * A way from a node to another one. Steps are parted by `/`: `name` is a field, `<block>` the first named child of that
 * type, `~` follows nested C declarators to the name inside them, `^` is the first named child and `$` the last. The empty
 * path stays. Of several paths parted by `|` the first that leads somewhere counts.
 */
export type Path = string

/** How the nodes of one type are read. */
export interface Rule {
  /** Kind of the symbol; without it the node defines nothing by itself. */
  readonly kind?: string
  /** Other kinds, by words in front of the name: `[[/\benum\b/, 'enum']]`. */
  readonly kinds?: readonly (readonly [RegExp, string])[]
  /** Where the name stands; `name` unless said otherwise. */
  readonly name?: Path
  /** What to take of the text that begins at the name: the first group, or the whole match. Sticky. */
  readonly pattern?: RegExp
  /** Takes away parts of a dotted name that are no containers: `exports.`, `.prototype`. */
  readonly strip?: RegExp
  /** The name when there is none to find. */
  readonly fallback?: string
  /** Several names, parted by commas. */
  readonly list?: boolean
  /** A container that stands in front of the name: the receiver of a Go method. */
  readonly owner?: { readonly at: Path; readonly pattern: RegExp }
  /** Kind and body by the type of the value: `const f = () => …` is a function. */
  readonly value?: { readonly at: Path; readonly types: Readonly<Record<string, ValueRule>> }
  /** The value may be assigned to more names on its way here: `a.b = a.c = function () {}`. */
  readonly chain?: Chain
  /** The name that the value goes by itself, if no other is its name: `module.exports = class Widget {}`. */
  readonly own?: Path
  /** The name is that of a function if a node of this type holds it: C declarators. */
  readonly callable?: string
  /** Holds members, found here: makes the node a container. */
  readonly body?: Path
  /** Must be there, or the node defines nothing: a struct that is only mentioned has no body. */
  readonly requires?: Path
  /** Tested against the text in front of the name. */
  readonly when?: RegExp
  /** Tested against the text behind the name. */
  readonly unless?: RegExp
  /** Only outside of every container and function. */
  readonly outermost?: boolean
  /** Neighbours of the same name are one definition: overloads, equations, clauses. */
  readonly joins?: boolean
  /** A further child that may define something: the struct inside a typedef. */
  readonly also?: Path
  /** What this node is depends on a word: `def`, `defmodule`. */
  readonly keyword?: Keyword
  /** Looked through: what is inside counts as if the node were not there. */
  readonly wrapper?: boolean
  /** Looked through only where the text has this in it: most calls hold no definition, and each look costs. */
  readonly holds?: RegExp
}

export interface Chain {
  /** From the node to the next one that names the same value. */
  readonly at: Path
  /** What the next one has to be, and where in it are its name and the one after it. */
  readonly type: string
  readonly name: Path
  readonly next: Path
  readonly strip: RegExp
}

interface Keyword {
  readonly at: Path
  readonly words?: Readonly<Record<string, Rule>>
  /** Words that a pattern tells. */
  readonly patterns?: readonly (readonly [RegExp, Rule])[]
  /** For all other words. */
  readonly otherwise?: Rule
}

export interface ValueRule {
  readonly kind?: string
  /** Only outside of functions. */
  readonly outside?: boolean
  /** Path from the value to its members. */
  readonly body?: Path
}

export interface LanguageTable {
  /** File of the grammar, without `.wasm`. */
  readonly grammar: string
  readonly rules: ReadonlyMap<string, Rule>
  /** Node types that belong to what follows, besides comments. */
  readonly leading?: readonly string[]
  /** Comments that begin like this belong to what follows even when a blank row parts them. */
  readonly remote?: RegExp
  /** Node types that belong to what stands before. */
  readonly trailing?: readonly string[]
}

/** Rules for several node types at once: `{ 'a b': rule }` gives both `a` and `b` the rule. */
export const rules = (rows: Readonly<Record<string, Rule>>): ReadonlyMap<string, Rule> =>
  new Map(
    Object.entries(rows).flatMap(([types, rule]) => types.split(' ').map(type => [type, rule] as const)),
  )

export const WRAPPER: Rule = { wrapper: true }
