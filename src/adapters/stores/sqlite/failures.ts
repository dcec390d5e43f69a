/** What SQLite and the file system report, as one of our errors with the next command. */

import { statfsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { QuarryError } from '../../../core/errors.js'

const PERM = 3
const BUSY = 5
const READONLY = 8
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
/** Damage that SQLite reports as an ordinary error. */
const DAMAGE = /malformed|corrupt|fts5: |no such (table|column|module)|vtable constructor failed/i
const NOT_ALLOWED = new Set<unknown>(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR'])
const MEGABYTE = 1024 * 1024

/** What errors of the driver and of the file system carry. */
interface Reported {
  readonly code?: unknown
  readonly errcode?: unknown
  readonly systemErrno?: unknown
}

/** Errors that are ours already pass through; `neededBytes` is what the failed write was about to add. */
export const translate = (error: unknown, path: string, neededBytes = 0): QuarryError => {
  if (error instanceof QuarryError) return error
  const code = resultCode(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === FULL || isOutOfRoom(error)) return diskFull(path, neededBytes, error)
  if (code === CORRUPT || code === NOTADB) return damaged(path, message, error)
  if (code === BUSY) {
    return new QuarryError('INDEX_LOCKED', `The index ${path} is busy: another process holds it`, {
      hint: 'quarry status',
      cause: error,
    })
  }
  if (code === READONLY || code === CANTOPEN || code === PERM || NOT_ALLOWED.has((error as Reported)?.code)) {
    return new QuarryError('BAD_PATH', `The index ${path} cannot be opened or written: ${message}`, {
      hint: 'QUARRY_HOME=<a directory you may write to> quarry index',
      cause: error,
    })
  }
  if (DAMAGE.test(message)) return damaged(path, message, error)
  return new QuarryError('INTERNAL', `The index ${path} failed: ${message}`, { cause: error })
}

export const damaged = (path: string, what: string, cause?: unknown): QuarryError =>
  new QuarryError('INDEX_DAMAGED', `The index ${path} is damaged: ${what}`, {
    hint: 'quarry index --rebuild',
    cause,
  })

/** The primary result code; extended codes carry more in their upper bits. */
export const resultCode = (error: unknown): number | undefined => {
  const code = (error as Reported | null | undefined)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** SQLite calls only ENOSPC "full"; quotas and limits on file sizes mean the same to people. */
const isOutOfRoom = (error: unknown): boolean =>
  (['ENOSPC', 'EDQUOT', 'EFBIG'] as const).some(name => isSystemError(error, name))

/** The file system names its errors, SQLite hands on their numbers. */
const isSystemError = (error: unknown, name: keyof typeof constants.errno): boolean => {
  const { code, systemErrno } = (error ?? {}) as Reported
  return code === name || systemErrno === constants.errno[name]
}

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

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1)

const freeBytes = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return 0
  }
}
