/** What SQLite and the file system report of the notebook, as one of our errors. None of the hints deletes anything. */

import { dirname } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { failureKind, freeBytes, megabytes, messageOf } from '../sqlite/failures.js'

/** Errors that are ours already pass through. */
export const translate = (error: unknown, path: string): QuarryError => {
  if (error instanceof QuarryError) return error
  const message = messageOf(error)
  switch (failureKind(error)) {
    case 'full':
      return diskFull(path, error)
    case 'damaged':
      return damaged(path, message, error)
    case 'busy':
      return new QuarryError('NOTES_LOCKED', `The notebook ${path} is busy: another process writes to it`, {
        hint: 'run the command again',
        cause: error,
      })
    case 'not-allowed':
      return new QuarryError('BAD_PATH', `The notebook ${path} cannot be opened or written: ${message}`, {
        hint: `make ${dirname(path)} writable, or choose another QUARRY_HOME`,
        cause: error,
      })
    case 'other':
      return new QuarryError('INTERNAL', `The notebook ${path} failed: ${message}`, { cause: error })
  }
}

export const damaged = (path: string, what: string, cause?: unknown): QuarryError =>
  new QuarryError('NOTES_DAMAGED', `The notebook ${path} is damaged: ${what}`, {
    hint: 'quarry notes export saved.jsonl, which saves whatever can be read',
    cause,
  })

const diskFull = (path: string, cause: unknown): QuarryError =>
  new QuarryError(
    'DISK_FULL',
    `No room for the notebook ${path}: ${megabytes(freeBytes(path))} MB free. Nothing of this was noted; all that was noted before is safe`,
    { hint: 'make room and run the command again', cause },
  )
