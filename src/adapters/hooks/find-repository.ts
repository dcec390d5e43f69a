/**
 * Where the hooks of a directory's repository live, found without running git: a `.git` directory, or the `.git` file of a
 * linked work tree or submodule. A `.git` file may come with an unpacked archive and name any repository on the machine, so
 * it counts only when that repository knows of this work tree.
 */

import { lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { readConfigValue } from './read-config.js'

export interface Repository {
  /** The top of the work tree. */
  readonly top: string
  /** What belongs to this work tree alone; the same as `common` unless it is a linked one. */
  readonly gitDirectory: string
  /** Objects, references and hooks. */
  readonly common: string
}

export const findRepository = (root: string): Repository => {
  for (let directory = root; ; directory = dirname(directory)) {
    const entry = join(directory, '.git')
    const status = lookAt(entry)
    if (status?.isSymbolicLink()) {
      throw new QuarryError('BAD_PATH', `${entry} is a symbolic link, and links are not followed here`, {
        hint: 'run quarry init in the directory that the link leads to',
      })
    }
    if (status?.isDirectory() && isGitDirectory(entry))
      return { top: directory, gitDirectory: entry, common: entry }
    if (status?.isFile()) return followFile(directory, entry)
    if (isGitDirectory(directory))
      return notARepository(`${directory} is a bare repository: nothing is checked out`)
    if (dirname(directory) === directory) return notARepository(`No git repository holds ${root}`)
  }
}

const notARepository = (message: string): never => {
  throw new QuarryError('NOT_A_REPOSITORY', message, {
    hint: 'run it inside a work tree; without one, quarry index keeps the index up to date',
  })
}

/** A linked work tree is named by its repository in `gitdir`, a submodule by `core.worktree`. */
const followFile = (top: string, entry: string): Repository => {
  const named = /^gitdir: (.+)$/m.exec(contentOf(entry))?.[1]?.trimEnd()
  const gitDirectory = named === undefined ? undefined : real(resolve(top, named))
  if (gitDirectory === undefined || lookAt(join(gitDirectory, 'HEAD')) === undefined)
    return notARepository(`${entry} does not lead to a repository`)
  const shared = contentOf(join(gitDirectory, 'commondir')).trim()
  const common = shared === '' ? gitDirectory : real(resolve(gitDirectory, shared))
  const back = contentOf(join(gitDirectory, 'gitdir')).trim()
  const worktree = readConfigValue(join(gitDirectory, 'config'), 'core', 'worktree')
  const isKnown =
    (back !== '' && real(resolve(gitDirectory, back)) === real(entry)) ||
    (worktree !== undefined && real(resolve(gitDirectory, worktree)) === real(top))
  if (common === undefined || !isGitDirectory(common) || !isKnown) {
    throw new QuarryError('BAD_PATH', `${entry} names ${gitDirectory}, which does not name it back`, {
      hint: `git -C ${JSON.stringify(top)} config core.worktree ${JSON.stringify(top)}, if the two belong together`,
    })
  }
  return { top, gitDirectory, common }
}

const isGitDirectory = (directory: string): boolean =>
  lookAt(join(directory, 'HEAD')) !== undefined &&
  lookAt(join(directory, 'objects'))?.isDirectory() === true &&
  lookAt(join(directory, 'refs'))?.isDirectory() === true

const lookAt = (path: string): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

const LONGEST_POINTER = 16_384

const contentOf = (path: string): string => {
  const status = lookAt(path)
  if (!status?.isFile() || status.size > LONGEST_POINTER) return ''
  return readFileSync(path, 'utf8')
}

const real = (path: string): string | undefined => {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
