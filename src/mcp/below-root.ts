/** A path as an agent gives it, as the index knows it: below the root, `/` between its parts. */

import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { QuarryError } from '../core/errors.js'

export const belowRoot = async (given: string, root: string): Promise<string> => {
  const below = isAbsolute(given)
    ? relative(root, await realpath(given).catch(() => given))
    : given.replace(/^(?:\.[/\\])+/, '')
  const parts = below.split(/[\\/]/)
  if (parts.includes('..') || isAbsolute(below) || given.includes('\0')) {
    throw new QuarryError('BAD_PATH', `${JSON.stringify(given.slice(0, 200))} is outside of ${root}`, {
      hint: 'give the path as a hit shows it, below the root',
    })
  }
  return sep === '/' ? below : below.replaceAll(sep, '/')
}
