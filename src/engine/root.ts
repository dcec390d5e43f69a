/** The directory a Quarry is opened on: real, absolute, a directory. */

import { realpathSync, statSync } from 'node:fs'
import { QuarryError } from '../core/errors.js'

export const resolveRoot = (given: string): string => {
  if (given.includes('\0')) throw new QuarryError('BAD_PATH', 'The path holds a NUL character')
  let root: string
  try {
    root = realpathSync(given)
  } catch (cause) {
    throw new QuarryError('BAD_PATH', `There is no directory ${given}`, { hint: 'quarry index DIR', cause })
  }
  if (!statSync(root).isDirectory()) {
    throw new QuarryError('BAD_PATH', `${given} is not a directory`, { hint: 'quarry index DIR' })
  }
  return root
}
