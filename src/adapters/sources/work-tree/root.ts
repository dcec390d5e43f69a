/** The directory that is walked, without links in its path. */

import { realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import { QuarryError } from '../../../core/errors.js'

export const realRoot = (root: string): string => {
  const refuse = (why: string, cause?: unknown): never => {
    throw new QuarryError('BAD_PATH', why, { hint: 'quarry index DIRECTORY', cause })
  }
  try {
    const real = realpathSync.native(root)
    return statSync(real).isDirectory() ? real : refuse(`${root} is not a directory`)
  } catch (error) {
    if (error instanceof QuarryError) throw error
    const { code } = error as NodeJS.ErrnoException
    return refuse(
      code === 'ENOENT' ? `There is no directory ${root}` : `${root} cannot be opened (${code})`,
      error,
    )
  }
}

/** What stands before the path of a file below the root. The root of the file system ends with a slash already. */
export const prefixOf = (root: string): string => (root.endsWith(sep) ? root : `${root}/`)
