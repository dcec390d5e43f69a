/** What SQLite and the file system report of the notebook, as one of our errors. None of the hints deletes anything. */

import { statfsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { QuarryError } from '../../core/errors.js'

const PERM = 3
const BUSY = 5
const READONLY = 8
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
const DAMAGE = /malformed|corrupt|no such (table|column)/i
const NOT_ALLOWED = new Set<unknown>(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST'])
const MEGABYTE = 1024 * 1024

/** What errors of the driver and of the file system carry. */
interface Reported {
  readonly code?: unknown
  readonly errcode?: unknown
  readonly systemErrno?: unknown
}

/** Errors that are ours already pass through. */
export const translate = (error: unknown, path: string): QuarryError => {
  if (error instanceof QuarryError) return error
  const code = resultCode(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === FULL || isOutOfRoom(error)) return diskFull(path, error)
  if (code === CORRUPT || code === NOTADB || DAMAGE.test(message)) return damaged(path, message, error)
  if (code === BUSY)
    return new QuarryError('NOTES_LOCKED', `The notebook ${path} is busy: another process writes to it`, {
      hint: 'run the command again',
      cause: error,
    })
  if (code === READONLY || code === CANTOPEN || code === PERM || NOT_ALLOWED.has((error as Reported)?.code))
    return new QuarryError('BAD_PATH', `The notebook ${path} cannot be opened or written: ${message}`, {
      hint: `make ${dirname(path)} writable, or choose another QUARRY_HOME`,
      cause: error,
    })
  return new QuarryError('INTERNAL', `The notebook ${path} failed: ${message}`, { cause: error })
}

export const damaged = (path: string, what: string, cause?: unknown): QuarryError =>
  new QuarryError('NOTES_DAMAGED', `The notebook ${path} is damaged: ${what}`, {
    hint: 'quarry notes export saved.jsonl, which saves whatever can be read',
    cause,
  })

/** The primary result code; extended codes carry more in their upper bits. */
export const resultCode = (error: unknown): number | undefined => {
  const code = (error as Reported | null | undefined)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** SQLite calls only ENOSPC "full"; quotas and limits on file sizes mean the same to people. */
const isOutOfRoom = (error: unknown): boolean => {
  const { code, systemErrno } = (error ?? {}) as Reported
  return (['ENOSPC', 'EDQUOT', 'EFBIG'] as const).some(
    name => code === name || systemErrno === constants.errno[name],
  )
}

const diskFull = (path: string, cause: unknown): QuarryError =>
  new QuarryError(
    'DISK_FULL',
    `No room for the notebook ${path}: ${freeMegabytes(path)} MB free. Nothing of this was noted; all that was noted before is safe`,
    { hint: 'make room and run the command again', cause },
  )

const freeMegabytes = (path: string): string => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return ((bavail * bsize) / MEGABYTE).toFixed(1)
  } catch {
    return '0'
  }
}
