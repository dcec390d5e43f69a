/** A hook on disk: read without following links, replaced whole or not at all. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { QuarryError } from '../../core/errors.js'

const LARGEST_BYTES = 1 << 20

export interface HookFile {
  /** One character a byte; null when there is no such file. */
  readonly text: string | null
  /** null: what the umask leaves of a usual hook. */
  readonly mode: number | null
}

/** A string says why it cannot be read as a script. */
export const readHook = (path: string): HookFile | string => {
  const status = lstatSync(path, { throwIfNoEntry: false })
  if (status === undefined) return { text: null, mode: null }
  if (!status.isFile()) return 'is not a file'
  if (status.size > LARGEST_BYTES) return 'is too large for a script'
  return { text: readFileSync(path, 'latin1'), mode: status.mode & 0o7777 }
}

/** What a link leads to may be anyone's, or a file that is under version control. */
export const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

export const refuseLink = (path: string): never => {
  throw new QuarryError('BAD_PATH', `${path} is a symbolic link, and links are not followed here`, {
    hint: 'replace the link by what it leads to, or add the line of `quarry init --dry-run` there yourself',
  })
}

/** By renaming: git may start the hook at any moment and must find the old one or the new one. */
export const writeHook = (path: string, { text, mode }: HookFile): void => {
  if (text === null) {
    rmSync(path, { force: true })
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = openSync(temporary, 'wx', mode ?? 0o755)
    try {
      writeFileSync(file, text, 'latin1')
      // The mode given at creation loses what the umask takes away.
      if (mode !== null) fchmodSync(file, mode)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
