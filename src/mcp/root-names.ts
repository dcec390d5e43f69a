/** What a call names a directory by: the last part of its path, or all of it where two would be called the same. */

import { basename } from 'node:path'

export const rootNames = (roots: readonly string[]): readonly string[] => {
  const short = roots.map(root => basename(root))
  return roots.map((root, position) => {
    const name = short[position]!
    return name !== '' && short.indexOf(name) === short.lastIndexOf(name) ? name : root
  })
}
