/** What SQLite and the file system report of an index, as one of our errors with the next command. */

import { QuarryError } from '../../../core/errors.js'
import { failureKind, freeBytes, isSystemError, megabytes, messageOf } from '../../sqlite/failures.js'

const MEGABYTE = 1024 * 1024

/** Errors that are ours already pass through; `neededBytes` is what the failed write was about to add. */
export const translate = (error: unknown, path: string, neededBytes = 0): QuarryError => {
  if (error instanceof QuarryError) return error
  const message = messageOf(error)
  switch (failureKind(error)) {
    case 'full':
      return diskFull(path, neededBytes, error)
    case 'damaged':
      return damaged(path, message, error)
    case 'busy':
      return new QuarryError('INDEX_LOCKED', `The index ${path} is busy: another process holds it`, {
        hint: 'quarry status',
        cause: error,
      })
    case 'not-allowed':
      return new QuarryError('BAD_PATH', `The index ${path} cannot be opened or written: ${message}`, {
        hint: 'QUARRY_HOME=<a directory you may write to> quarry index',
        cause: error,
      })
    case 'other':
      return new QuarryError('INTERNAL', `The index ${path} failed: ${message}`, { cause: error })
  }
}

export const damaged = (path: string, what: string, cause?: unknown): QuarryError =>
  new QuarryError('INDEX_DAMAGED', `The index ${path} is damaged: ${what}`, {
    hint: 'quarry index --rebuild',
    cause,
  })

const diskFull = (path: string, neededBytes: number, cause: unknown): QuarryError => {
  // Then the disk itself has room, and what is free alone would puzzle.
  const isLimited = isSystemError(cause, 'EFBIG')
  const needed = `about ${megabytes(Math.max(neededBytes, MEGABYTE))} MB needed`
  const free = `${megabytes(freeBytes(path))} MB free${isLimited ? ', but files may not grow so large here' : ''}`
  return new QuarryError(
    'DISK_FULL',
    `No room for the index ${path}: ${needed}, ${free}. What was indexed before still answers`,
    { hint: `${isLimited ? 'ulimit -f unlimited' : 'make room'}, then: quarry index`, cause },
  )
}
