/** Finds nodes from nodes: the paths of the language tables, step by step. Each step is one call into the parser. */

import type { Node } from 'web-tree-sitter'
import type { Path } from './languages/table.js'

export const follow = (node: Node, path: Path): Node | undefined => {
  for (const steps of alternatives(path)) {
    let at: Node | null | undefined = node
    for (const step of steps) at = at && take(at, step)
    if (at) return at
  }
  return undefined
}

const take = (node: Node, step: string): Node | null | undefined => {
  if (step === '') return node
  if (step === '$') return node.lastNamedChild
  if (step === '^') return node.firstNamedChild
  if (step === '~') return declaratorOf(node)?.node
  if (step.startsWith('<')) return node.namedChildren.find(child => child?.type === step.slice(1, -1))
  return node.childForFieldName(step)
}

const parsed = new Map<Path, readonly (readonly string[])[]>()

const alternatives = (path: Path): readonly (readonly string[])[] => {
  const known = parsed.get(path)
  if (known) return known
  const steps = path.split('|').map(alternative => alternative.split('/'))
  parsed.set(path, steps)
  return steps
}

const DECLARATORS = 12
const INSIDE_DECLARATOR =
  /declarator|identifier|operator_name|operator_cast|destructor_name|template_function/

/** `int *(*name)(void)`: the name lies inside declarators; `holder` is the type of the innermost of them. */
export const declaratorOf = (node: Node): { readonly node: Node; readonly holder: string } | undefined => {
  let at = node.childForFieldName('declarator')
  let holder = ''
  for (let depth = 0; at && depth < DECLARATORS; depth += 1) {
    const { type }: Node = at
    if (!type.endsWith('declarator')) return { node: at, holder }
    holder = type
    at =
      at.childForFieldName('declarator') ??
      at.namedChildren.find(child => child !== null && INSIDE_DECLARATOR.test(child.type)) ??
      null
  }
  return undefined
}
