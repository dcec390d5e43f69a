/**
 * Paths that people and agents hand in. Only what lies below the root after every link is resolved comes back, as the index
 * knows it; everything else is refused, and so are spellings that some other program might read as a way out.
 */

import { lstatSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { QuarryError } from '../../../core/errors.js'

const LONGEST_PATH = 4096
const DRIVE_OR_SHARE = /^(?:[a-z]:|\\\\)/i

/**
 * The path below the root with `/` between its parts, '' for the root itself. Relative paths start at the root; the file
 * need not exist, as it may have been deleted since it was indexed. Throws `BAD_PATH`.
 */
export const confine = (root: string, path: string): string => {
  const refuse = (why: string, cause?: unknown): never => {
    throw new QuarryError('BAD_PATH', `${shown(path)} ${why}`, { hint: 'quarry status', cause })
  }
  if (path === '') refuse('is empty')
  if (path.includes('\0')) refuse('holds a NUL character')
  if (!path.isWellFormed()) refuse('is not well-formed Unicode')
  if (Buffer.byteLength(path) > LONGEST_PATH) refuse('is too long')
  if (sep === '/' && DRIVE_OR_SHARE.test(path)) refuse('is a path of another system')
  if (climbsInDisguise(path)) refuse('climbs out of the directory in disguise')
  let below = ''
  try {
    const realRoot = realpathSync.native(root)
    below = relative(realRoot, realPath(resolve(realRoot, path)))
  } catch (error) {
    refuse('cannot be resolved', error)
  }
  // `relative` compares part by part: `/repo-evil` is `../repo-evil` for the root `/repo`.
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) refuse('is outside the directory')
  return sep === '/' ? below : below.replaceAll(sep, '/')
}

/** Resolves what exists and keeps the rest. A link that leads nowhere may lead anywhere tomorrow: it counts as an error. */
const realPath = (path: string): string => {
  if (lstatSync(path, { throwIfNoEntry: false })) return realpathSync.native(path)
  const parent = dirname(path)
  return parent === path ? path : resolve(realPath(parent), path.slice(parent.length).replace(/^[/\\]/, ''))
}

/** `%2e%2e%2f` and `..\` are plain names here, but not for whoever decodes the path once more. */
const climbsInDisguise = (path: string): boolean => {
  let decoded = path
  for (let round = 0; round < 3; round++)
    decoded = decoded.replace(/%(2e|2f|5c|25|00)/gi, (_, code) => DISGUISES[code.toLowerCase()]!)
  if (decoded === path && !path.includes('\\')) return false
  return decoded.includes('\0') || decoded.split(/[/\\]/).includes('..')
}

const DISGUISES: Readonly<Record<string, string>> = {
  '2e': '.',
  '2f': '/',
  '5c': '\\',
  '25': '%',
  '00': '\0',
}

/** For the message: short, and harmless on a terminal. */
const shown = (path: string): string => JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)
