/**
 * Names of a value besides the one it is bound to: those it is assigned to on the way (`a.b = a.c = …`) and the one that a
 * function or class expression has itself. Used by `readDefinition`.
 */

import type { Node } from 'web-tree-sitter'
import { type Name, namesIn } from './find-name.js'
import { follow } from './follow-path.js'
import type { Rule } from './languages/table.js'
import type { SourceText } from './source-text.js'

interface FurtherNames {
  readonly names: readonly Name[]
  /** What all of them name; absent where nothing is chained. */
  readonly value: Node | undefined
}

const NONE: FurtherNames = { names: [], value: undefined }
const LONGEST_CHAIN = 20

export const furtherNames = (node: Node, { chain }: Rule, { text }: SourceText): FurtherNames => {
  if (!chain) return NONE
  let value = follow(node, chain.at)
  if (value?.type !== chain.type) return NONE
  const names: Name[] = []
  for (let length = 0; value?.type === chain.type && length < LONGEST_CHAIN; length += 1) {
    const at = follow(value, chain.name)
    if (at) {
      const found = { text: text.slice(at.startIndex, at.endIndex), offset: at.startIndex, holder: '' }
      names.push(...namesIn(found, chain))
    }
    value = follow(value, chain.next)
  }
  return { names, value }
}

export interface OwnName {
  readonly name: string
  readonly kind: 'function' | 'class'
  readonly offset: number
  /** The expression that has the name. */
  readonly holder: Node
}

export const ownName = (value: Node, path: string, { text }: SourceText): OwnName | undefined => {
  const at = follow(value, path)
  const holder = at?.parent
  if (!at || !holder) return undefined
  const name = text.slice(at.startIndex, at.endIndex)
  return { name, kind: holder.type === 'class' ? 'class' : 'function', offset: at.startIndex, holder }
}
