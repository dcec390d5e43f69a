/** Finds the names that a node defines: where the table says they stand, and as one would write them elsewhere. */

import type { Node } from 'web-tree-sitter'
import { declaratorOf, follow } from './follow-path.js'
import type { Rule } from './languages/table.js'
import type { SourceText } from './source-text.js'

export interface FoundName {
  readonly text: string
  readonly offset: number
  /** Type of the C declarator that holds the name. */
  readonly holder: string
}

const LIST = /[\p{L}_][\p{L}\p{N}_']*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_']*)*/uy
const LONGEST_NAME = 200
const LONGEST_LIST = 1_000

export const findName = (node: Node, rule: Rule, { text }: SourceText): FoundName | undefined => {
  const path = rule.name ?? 'name'
  const declarator = path === '~' ? declaratorOf(node) : undefined
  const at = path === '~' ? declarator?.node : follow(node, path)
  if (!at) {
    if (!rule.fallback) return undefined
    const word = text
      .slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 500))
      .indexOf(rule.fallback)
    return { text: rule.fallback, offset: node.startIndex + Math.max(0, word), holder: '' }
  }
  const holder = declarator?.holder ?? ''
  const start = at.startIndex
  const pattern = rule.pattern ?? (rule.list ? LIST : undefined)
  if (!pattern) return { text: text.slice(start, at.endIndex), offset: start, holder }
  pattern.lastIndex = start
  const match = pattern.exec(text)
  if (!match) return rule.list ? { text: text.slice(start, at.endIndex), offset: start, holder } : undefined
  const taken = match[1] ?? match[0]
  return { text: taken, offset: start + match[0].indexOf(taken), holder }
}

/** Letters and the signs that may stand in a name: `empty?`, `save!`, `~Shape`, `#private`, `$store`. */
const DOTTED = /^[\p{L}\p{N}_$#?!~]+(?:(?:\.|::?|\\)[\p{L}\p{N}_$#?!~]+)+$/u

export interface Name {
  /** Containers that the name itself mentions, and the name. */
  readonly parts: readonly string[]
  readonly offset: number
}

export const namesIn = ({ text, offset }: FoundName, rule: Pick<Rule, 'list' | 'strip'>): Name[] => {
  if (text.length > LONGEST_LIST) return []
  let from = 0
  return (rule.list ? text.split(',') : [text]).flatMap(part => {
    const name = clean(rule.strip ? part.replace(rule.strip, '') : part)
    const at = Math.max(from, text.indexOf(name, from))
    from = at
    if (name === '' || name.length > LONGEST_NAME) return []
    return [{ parts: DOTTED.test(name) ? name.split(/[.:\\]+/) : [name], offset: offset + at }]
  })
}

/** Without quotation marks, brackets around operators and type parameters: `(<+>)` is `<+>`, `Grid<T>::at` is `Grid::at`. */
const clean = (raw: string): string => {
  let name = raw.replace(/\s+/g, ' ').trim()
  if (/^(['"`]).*\1$/.test(name) || /^\([^()]+\)$/.test(name)) name = name.slice(1, -1).trim()
  name = name.replace(/\[(['"])([\p{L}_$][\p{L}\p{N}_$]*)\1\]/gu, '.$2')
  if (name.startsWith('operator')) return name.replace(/(?<=.)\((?!\)).*$|(?<!operator)\(\).*$/, '').trim()
  if (/^[\p{L}_]/u.test(name)) while (/<[^<>]*>/.test(name)) name = name.replace(/<[^<>]*>/, '')
  return name
}
