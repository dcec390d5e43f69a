/** From the path that someone typed to a file of the repository and of the work tree. Refuses what is neither. */

import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { checkGitPath } from '../../adapters/git/git-path.js'
import { QuarryError } from '../../core/errors.js'

export interface AskedFile {
  /** Below the root, as every answer shows it. */
  readonly path: string
  /** From the top of the repository, as git knows it. */
  readonly gitPath: string
  /** In the work tree; null where there is none. */
  readonly place: string | null
}

export interface Roots {
  readonly root: string
  /** From the top of the repository to the root; '' where they are the same. */
  readonly prefix: string
  readonly isBare: boolean
}

const HINT = 'quarry explain FILE[:A-B], with FILE below the directory that is searched'
const LARGEST_FILE = 8 << 20

export const askedFile = async (given: string, { root, prefix, isBare }: Roots): Promise<AskedFile> => {
  const refuse = (why: string): never => {
    throw new QuarryError('BAD_PATH', `${JSON.stringify(given.slice(0, 200))} ${why}`, { hint: HINT })
  }
  if (given === '' || given.includes('\0')) refuse(given === '' ? 'is no file' : 'holds a NUL character')
  const below = isAbsolute(given) ? relative(root, await real(given)) : given.replace(/^(?:\.[/\\])+/, '')
  const path = sep === '/' ? below : below.replaceAll(sep, '/')
  if (isAbsolute(below) || path.split('/').includes('..')) refuse(`is outside of ${root}`)
  if (path === '' || path === '.') refuse('is a directory')
  const spelledOut = (plain: string): string => checkGitPath(plain.startsWith('-') ? `./${plain}` : plain)
  const own = spelledOut(path)
  const gitPath = prefix === '' ? own : spelledOut(`${prefix}/${path}`)
  const place = isBare ? null : join(root, path)
  // A slip of the keyboard is likelier than a file of such a name.
  if (path.startsWith('-') && (place === null || !(await isThere(place)))) refuse('looks like an option')
  return { path, gitPath, place }
}

const isThere = async (place: string): Promise<boolean> =>
  lstat(place).then(
    () => true,
    () => false,
  )

/** A path of git as seen from the root, `../` where it lies outside. */
export const seenFromRoot = (gitPath: string, prefix: string): string =>
  prefix === '' ? gitPath : relative(prefix, gitPath).replaceAll(sep, '/')

/** The bytes of the file in the work tree; null where there is none. Links are not followed, not even on the way. */
export const readWorkFile = async ({ path, place }: AskedFile, root: string): Promise<Buffer | null> => {
  if (place === null) return null
  const refuse = (why: string): never => {
    throw new QuarryError('BAD_PATH', `${path} ${why}`, { hint: HINT })
  }
  const status = await lstat(place).catch(error => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw unreadable(path, error)
  })
  if (status === null) return null
  if (status.isDirectory()) return refuse('is a directory')
  if (status.isSymbolicLink()) return refuse('is a symbolic link, and links are not followed')
  if (!status.isFile()) return refuse('is not a file')
  if (status.size > LARGEST_FILE) return refuse(`has ${status.size} bytes: too many to explain`)
  const way = relative(root, await realpath(dirname(place)))
  if (way.split(sep)[0] === '..' || isAbsolute(way)) return refuse(`lies behind a link out of ${root}`)
  // It may have become a pipe since it was looked at, and a pipe would be waited for.
  const file = await open(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(error => {
    throw unreadable(path, error)
  })
  try {
    return await file.readFile()
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    await file.close()
  }
}

const unreadable = (path: string, cause: unknown): QuarryError =>
  new QuarryError('BAD_PATH', `${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
    hint: 'quarry explain FILE --at HEAD asks git instead',
    cause,
  })

/** The root is a real path; one that leads there through a link means the same file. A deleted file has no real path. */
const real = async (path: string): Promise<string> => {
  try {
    return join(await realpath(dirname(path)), path.slice(dirname(path).length))
  } catch {
    return path
  }
}
