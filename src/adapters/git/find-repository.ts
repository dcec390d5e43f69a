/**
 * Finds the git directory of a directory by reading files, as git would but with more suspicion: a pointer to somewhere else
 * counts only where that place points back, because whoever made the pointer may not own the place.
 */

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { readGitConfig } from './git-config.js'
import { readSmallFile } from './read-small-file.js'
import { isVouchedFor, type VouchedPlaces } from './vouched-places.js'

export interface FoundRepository {
  /** A checkout, a further checkout of the same repository, a checkout inside another one, or none at all. */
  readonly kind: 'worktree' | 'linked-worktree' | 'submodule' | 'bare'
  /** Holds HEAD. */
  readonly gitDirectory: string
  /** Holds refs and objects; another one than `gitDirectory` in linked worktrees only. */
  readonly commonDirectory: string
  /** The top of the checkout; null for a bare repository. */
  readonly top: string | null
  /** The path from the top to the directory that was asked for, with `/` between its parts; '' at the top. */
  readonly prefix: string
}

export interface Trust {
  /** Directories that a repository may point into, besides its own. */
  readonly allowedRoots?: readonly string[]
  /** The user vouches for this repository: whoever owns it, and wherever it points. */
  readonly trust?: boolean
  /** What the user vouched for at another time: these places as they were, and nothing that they point to since. */
  readonly vouched?: VouchedPlaces
}

/** Null where no repository holds the directory. Throws `NOT_A_REPOSITORY` where one is named that must not be followed. */
export const findRepository = (root: string, trust: Trust = {}): FoundRepository | null => {
  const start = realDirectory(root)
  if (start === null) return null
  // A bare repository is taken only where it is asked for by name: one that lies around in a checkout may be a trap.
  if (isGitDirectory(start))
    return { kind: 'bare', gitDirectory: start, commonDirectory: start, top: null, prefix: '' }
  for (let top = start; ; top = dirname(top)) {
    const found = repositoryAt(top, trust)
    if (found) return { ...found, prefix: relative(top, start).replaceAll(sep, '/') }
    if (top === dirname(top)) return null
  }
}

const repositoryAt = (top: string, trust: Trust): Omit<FoundRepository, 'prefix'> | null => {
  const path = join(top, '.git')
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (!status) return null
  if (status.isFile()) return followPointer(top, path, trust)
  const gitDirectory = realDirectory(path)
  if (gitDirectory === null || !isGitDirectory(gitDirectory)) return null
  if (status.isSymbolicLink() && !isAllowed(gitDirectory, top, trust)) throw elsewhere(path, gitDirectory)
  return { kind: 'worktree', gitDirectory, commonDirectory: gitDirectory, top }
}

/** A `.git` file: of a linked worktree, of a submodule, or of anything else that somebody wrote into it. */
const followPointer = (top: string, path: string, trust: Trust): Omit<FoundRepository, 'prefix'> | null => {
  const target = /^gitdir: ([^\n\0]+)\n?$/.exec(readSmallFile(path, 4096) ?? '')?.[1]
  const gitDirectory = target === undefined ? null : realDirectory(resolve(top, target))
  if (gitDirectory === null || !existsSync(join(gitDirectory, 'HEAD'))) return null
  const common = readSmallFile(join(gitDirectory, 'commondir'), 4096)
  if (common !== null) {
    const commonDirectory = realDirectory(resolve(gitDirectory, common.trim()))
    const home = dirname(gitDirectory)
    const backPointer = readSmallFile(join(gitDirectory, 'gitdir'), 4096)?.trim()
    const isReal =
      commonDirectory === dirname(home) &&
      basename(home) === 'worktrees' &&
      backPointer !== undefined &&
      isSamePlace(resolve(gitDirectory, backPointer), path)
    if (commonDirectory !== null && isGitDirectory(commonDirectory)) {
      const mayFollow = isAllowed(gitDirectory, top, trust) && isAllowed(commonDirectory, top, trust)
      if (isReal || mayFollow) return { kind: 'linked-worktree', gitDirectory, commonDirectory, top }
    }
    throw elsewhere(path, gitDirectory)
  }
  if (!isGitDirectory(gitDirectory)) return null
  const workTree = readGitConfig(gitDirectory).get('core.worktree')
  const isSubmodule = workTree !== undefined && isSamePlace(resolve(gitDirectory, workTree), top)
  if (!isSubmodule && !isAllowed(gitDirectory, top, trust)) throw elsewhere(path, gitDirectory)
  return { kind: isSubmodule ? 'submodule' : 'worktree', gitDirectory, commonDirectory: gitDirectory, top }
}

/** Whether a place may be read on the word of the repository at `top`. */
export const isAllowed = (
  place: string,
  top: string,
  { allowedRoots = [], trust = false, vouched }: Trust,
): boolean =>
  trust ||
  isVouchedFor(place, vouched) ||
  [top, ...allowedRoots.map(root => realDirectory(root) ?? root)].some(root => isBelow(place, root))

const isBelow = (path: string, root: string): boolean => {
  const way = relative(root, path)
  return way.split(sep)[0] !== '..' && !isAbsolute(way)
}

const isGitDirectory = (path: string): boolean =>
  existsSync(join(path, 'HEAD')) && isDirectory(join(path, 'objects')) && isDirectory(join(path, 'refs'))

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const isSamePlace = (one: string, other: string): boolean => {
  try {
    return realpathSync.native(one) === realpathSync.native(other)
  } catch {
    return false
  }
}

/** Without links in its path; null when there is no such directory. */
export const realDirectory = (path: string): string | null => {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : null
  } catch {
    return null
  }
}

const elsewhere = (path: string, target: string): QuarryError =>
  new QuarryError(
    'NOT_A_REPOSITORY',
    `${path} points to ${target}, which lies elsewhere and does not point back: it may be someone else's repository`,
    { hint: 'if it is yours: quarry index --trust; without history: quarry index --no-history' },
  )
