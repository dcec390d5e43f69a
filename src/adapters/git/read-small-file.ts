/** Files of a git directory that we read ourselves: small, plain, and never through a link. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** `O_NONBLOCK`: opening a pipe would wait for its writer. Windows has neither flag, nor the danger. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const SMALL = 1 << 20

/** The text of the file, or null for whatever is no plain, readable file of at most `limit` bytes. */
export const readSmallFile = (path: string, limit: number = SMALL): string | null => {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, FLAGS)
    const status = fstatSync(descriptor)
    return status.isFile() && status.size <= limit ? readFileSync(descriptor, 'utf8') : null
  } catch {
    return null
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
