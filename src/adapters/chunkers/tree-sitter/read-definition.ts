/** Reads one node by its rule: which names it defines, of what kind, and where its members are. Used by `outlineTree`. */

import type { Node } from 'web-tree-sitter'
import { type FoundName, findName, namesIn } from './find-name.js'
import { follow } from './follow-path.js'
import { furtherNames, type OwnName, ownName } from './further-names.js'
import type { Rule, ValueRule } from './languages/table.js'
import { rowAt, type SourceText } from './source-text.js'
import type { Definition } from './unit.js'

/** Where in the code we are. */
export interface Scope {
  readonly containers: readonly string[]
  /** Inside of a type: functions are methods. */
  readonly member: boolean
  /** Inside of a function: variables are nobody else's business. */
  readonly local: boolean
  readonly depth: number
}

export const OUTERMOST: Scope = { containers: [], member: false, local: false, depth: 0 }

export interface Reading {
  /** Names that are symbols. */
  readonly definitions: readonly Definition[]
  /** What the node is called in headers: its definitions, or the name of a container that is no symbol (`impl Point`). */
  readonly labels: readonly Definition[]
  /** Holds the members, if the node is a container. */
  readonly body: Node | undefined
  /** Holds what there is inside of a definition without members: what it is cut at when it is too large. */
  readonly inner: Node
  /** The scope of what is inside. */
  readonly inside: Scope
}

/** Undefined when the node turns out to define nothing and to hold nothing. */
export const readDefinition = (
  node: Node,
  rule: Rule,
  scope: Scope,
  source: SourceText,
): Reading | undefined => {
  const further = furtherNames(node, rule, source)
  const value = further.value ?? (rule.value && follow(node, rule.value.at))
  const valueType = value?.type ?? ''
  const valueRule =
    rule.value && Object.hasOwn(rule.value.types, valueType) ? rule.value.types[valueType] : undefined
  const plain = valueRule ? valueRule.kind : rule.kind
  // Most statements of a large function end here, before they cost calls.
  if (plain && DATA.has(plain) && isHidden(rule, scope)) return undefined
  if (scope.local && valueRule?.outside) return undefined
  if (rule.requires && !follow(node, rule.requires)) return undefined
  const body = bodyOf(node, rule, value, valueRule)
  const found = findName(node, rule, source)
  const kind = found && kindOf(found, plain, rule, node, source)
  const own = value && rule.own ? ownName(value, rule.own, source) : undefined
  if (!body && !kind && !own) return undefined
  const names = [...(found ? namesIn(found, rule) : []), ...(valueRule ? further.names : [])]
  const owner = found && rule.owner ? ownerOf(node, rule.owner, found.offset, source) : undefined
  const outer = owner ? [...scope.containers, owner] : scope.containers
  const isMember = scope.member || !!owner
  const named = names.map(({ parts, offset }, index) => ({
    ...definitionOf(parts, offset, kind ?? '', outer, isMember, source),
    ...(index > 0 && further.names.length > 0 ? { alias: true } : {}),
  }))
  const isAlias = !!kind && named.length > 0
  const others =
    own && !(kind && named.some(({ name }) => name === own.name)) ? [ownDefinition(own, isAlias, source)] : []
  const labels = body || kind ? [...named, ...others] : others
  const first = names[0] ?? (own && { parts: [own.name] })
  return {
    definitions: kind ? labels : others,
    labels,
    body,
    inner: own?.holder ?? (valueRule && value) ?? node,
    inside: {
      containers: first ? [...outer, ...first.parts] : outer,
      member: body ? kind !== 'module' && kind !== 'namespace' && !!first : false,
      local: scope.local || !body,
      depth: scope.depth + 1,
    },
  }
}

const DATA = new Set(['constant', 'variable', 'property', 'event'])

const isHidden = (rule: Rule, scope: Scope): boolean =>
  scope.local || (rule.outermost === true && scope.containers.length > 0)

const bodyOf = (
  node: Node,
  rule: Rule,
  value: Node | undefined,
  valueRule: ValueRule | undefined,
): Node | undefined => {
  if (value && valueRule) return valueRule.body === undefined ? undefined : follow(value, valueRule.body)
  return rule.body === undefined ? undefined : follow(node, rule.body)
}

const kindOf = (
  found: FoundName,
  plain: string | undefined,
  rule: Rule,
  node: Node,
  { text }: SourceText,
): string | undefined => {
  if (rule.callable && found.holder === rule.callable) return 'function'
  const before =
    rule.when || rule.kinds ? text.slice(Math.max(node.startIndex, found.offset - 300), found.offset) : ''
  if (rule.when && !rule.when.test(before)) return undefined
  const end = found.offset + found.text.length
  if (rule.unless?.test(text.slice(end, end + 160))) return undefined
  return rule.kinds?.find(([words]) => words.test(before))?.[1] ?? plain
}

const ownerOf = (
  node: Node,
  owner: NonNullable<Rule['owner']>,
  before: number,
  { text }: SourceText,
): string | undefined => {
  const at = follow(node, owner.at)
  if (!at || at.startIndex >= before) return undefined
  return owner.pattern.exec(text.slice(at.startIndex, at.endIndex))?.[1]
}

/** A name of its own is nobody's member: it is known inside of the expression, and where a trace of calls is printed. */
const ownDefinition = (own: OwnName, alias: boolean, source: SourceText): Definition => ({
  ...definitionOf([own.name], own.offset, own.kind, [], false, source),
  ...(alias ? { alias } : {}),
})

const definitionOf = (
  parts: readonly string[],
  offset: number,
  kind: string,
  containers: readonly string[],
  member: boolean,
  source: SourceText,
): Definition => ({
  name: parts.at(-1)!,
  kind: kind === 'function' && (member || parts.length > 1) ? 'method' : kind,
  qualifiedName: [...containers, ...parts].join('.'),
  offset,
  row: rowAt(source, offset),
})
