/** The directories that the user allowed, by the names that calls use. One engine each, for all who ask. */

import { basename } from 'node:path'
import type { OpenOptions, Quarry } from '../index.js'
import { openRoot, type Root } from './root.js'

export interface RootsOptions {
  /** Real, absolute directories; nothing outside of them is ever read. */
  readonly roots: readonly string[]
  /** False where the only root is where the server was started, and nobody named it. */
  readonly isChosen: boolean
  readonly overrides: NonNullable<OpenOptions['overrides']>
  /** Loads the engine: called by the first call of a tool, not before. */
  readonly openQuarry: (options: OpenOptions) => Promise<Quarry>
  readonly fillInBehind: (quarry: Quarry) => Promise<boolean>
}

export const openRoots = (options: RootsOptions, signal: AbortSignal): ReadonlyMap<string, Root> => {
  const { roots, ...rest } = options
  const names = rootNames(roots)
  return new Map(
    roots.map((directory, position) => [names[position]!, openRoot({ ...rest, directory, signal })]),
  )
}

/** The last part of a path, or all of it where two would be called the same. */
export const rootNames = (roots: readonly string[]): readonly string[] => {
  const short = roots.map(root => basename(root))
  return roots.map((root, position) => {
    const name = short[position]!
    return name !== '' && short.indexOf(name) === short.lastIndexOf(name) ? name : root
  })
}
