/**
 * Refuses to keep anything where the system shows itself as files: no directory can be made there, and Node, asked for one with all
 * its parents, tries for ever.
 */

import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { QuarryError } from '../core/errors.js'

/** As Linux numbers them. In all of them making a directory can say that its parent is missing, although it is there. */
const PSEUDO: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x27e0eb, 'cgroup'],
  [0x63677270, 'cgroup2'],
  [0x0187, 'autofs'],
])

export const refusePseudoFiles = (directories: readonly string[]): void => {
  if (process.platform !== 'linux') return
  for (const directory of directories) {
    const kind = PSEUDO.get(typeAt(directory))
    if (kind === undefined) continue
    throw new QuarryError('BAD_PATH', `${directory} cannot be made: files of ${kind} are the system's own`, {
      hint: 'QUARRY_HOME=<a directory you may write to> quarry index',
    })
  }
}

/** Of the place itself, or of the nearest one above that is there. */
const typeAt = (place: string): number => {
  try {
    return statfsSync(place).type
  } catch {
    return place === dirname(place) ? 0 : typeAt(dirname(place))
  }
}
