/** Writes in our own directory beside a repository: a full disk is told with what is needed and what is free. */

import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { QuarryError } from '../../core/errors.js'

const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG'])
const MEGABYTE = 1024 * 1024

/** A few small files are all that is ever written here; file systems give out whole blocks. */
const NEEDED_BYTES = 0.1 * MEGABYTE

export const needingRoom = <Result>(directory: string, write: () => Result): Result => {
  try {
    return write()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!FULL.has(code)) throw error
    const isLimited = code === 'EFBIG'
    const free = `${megabytes(freeBytes(directory))} MB free${isLimited ? ', but files may not grow so large here' : ''}`
    throw new QuarryError(
      'DISK_FULL',
      `No room for the view of the repository in ${directory}: about ${megabytes(NEEDED_BYTES)} MB needed, ${free}. What was indexed before still answers`,
      { hint: `${isLimited ? 'ulimit -f unlimited' : 'make room'}, then: quarry index`, cause: error },
    )
  }
}

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1)

/** Of the nearest directory that is there. */
const freeBytes = (directory: string): number => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return dirname(directory) === directory ? 0 : freeBytes(dirname(directory))
  }
}
