/** Paths that people hand in for a file of a revision: git sees them behind `--`, and only when they are plain names. */

import { QuarryError } from '../../core/errors.js'

const LONGEST_PATH = 4096

/**
 * As it is, or `BAD_PATH`. Always from the top of the repository, with `/` between its parts. A name that begins like an option is
 * one only when it is spelled as `./-name`, which no program can take for something else.
 */
export const checkGitPath = (given: string): string => {
  const isSpelledOut = given.startsWith('./-')
  const path = isSpelledOut ? given.slice(2) : given
  const refuse = (why: string): never => {
    const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)
    throw new QuarryError('BAD_PATH', `${shown} ${why}`, {
      hint: 'give a path below the top of the repository',
    })
  }
  if (path === '') refuse('is empty')
  if (path.includes('\0')) refuse('holds a NUL character')
  if (!path.isWellFormed()) refuse('is not well-formed Unicode')
  if (Buffer.byteLength(path) > LONGEST_PATH) refuse('is too long')
  if (path.startsWith('-') && !isSpelledOut) refuse('looks like an option')
  if (path.startsWith(':')) refuse('is a pattern, not a path')
  if (path.startsWith('/') || /^(?:[a-z]:|\\\\)/i.test(path)) refuse('is not below the top of the repository')
  if (path.split(/[/\\]/).some(part => part === '..' || part === '.' || part.toLowerCase() === '.git'))
    refuse('climbs out of the repository')
  if (path.endsWith('/') || path.includes('//')) refuse('is not the path of a file')
  return given
}

/** A full object id of this repository, or `BAD_INPUT`. */
export const checkId = (id: string, isId: RegExp): string => {
  if (!isId.test(id))
    throw new QuarryError('BAD_INPUT', `${JSON.stringify(id.slice(0, 80))} is not a full object id`)
  return id
}
