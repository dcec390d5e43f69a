/** What SQLite and the file system report, as one of our errors with the next command. */

import { statfsSync } from 'node:fs'
import { QuarryError } from '../../../core/errors.js'

const BUSY = 5
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
const PERM = 3
const FTS_CORRUPT_MESSAGE = /malformed|corrupt|fts5: /i
const MEGABYTE = 1024 * 1024

export const damaged = (path: string, what: string, cause?: unknown): QuarryError =>
  new QuarryError('INDEX_DAMAGED', `The index ${path} is damaged: ${what}`, {
    hint: 'quarry index --rebuild',
    cause,
  })

/** Errors that are ours already pass through; `neededBytes` is what the failed write was about to add. */
export const translate = (error: unknown, path: string, neededBytes = 0): QuarryError => {
  if (error instanceof QuarryError) return error
  const code = resultCode(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === CORRUPT || code === NOTADB) return damaged(path, message, error)
  if (code === FULL || systemCode(error) === 'ENOSPC') return diskFull(path, neededBytes, error)
  if (code === BUSY) {
    return new QuarryError('INDEX_LOCKED', `The index ${path} is busy: another process holds it`, {
      hint: 'quarry status',
      cause: error,
    })
  }
  if (code === IOERR) {
    // Quotas and file size limits end here as well: SQLite calls only ENOSPC "full".
    return isNearlyFull(path) || /write|truncate|fsync|extend/i.test(message)
      ? diskFull(path, neededBytes, error)
      : new QuarryError('INTERNAL', `The index ${path} cannot be read or written: ${message}`, {
          cause: error,
        })
  }
  if (
    code === READONLY ||
    code === CANTOPEN ||
    code === PERM ||
    /EACCES|EROFS|EPERM/.test(systemCode(error))
  ) {
    return new QuarryError('BAD_PATH', `The index ${path} cannot be opened or written: ${message}`, {
      hint: 'QUARRY_HOME=<a directory you may write to> quarry index',
      cause: error,
    })
  }
  if (FTS_CORRUPT_MESSAGE.test(message)) return damaged(path, message, error)
  return new QuarryError('INTERNAL', `The index ${path} failed: ${message}`, { cause: error })
}

const diskFull = (path: string, neededBytes: number, cause: unknown): QuarryError =>
  new QuarryError(
    'DISK_FULL',
    `No room for the index ${path}: about ${megabytes(Math.max(neededBytes, MEGABYTE))} MB needed, ${megabytes(freeBytes(path))} MB free. What was indexed before still answers`,
    { hint: 'make room, then: quarry index', cause },
  )

const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1)

const freeBytes = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

const isNearlyFull = (path: string): boolean => freeBytes(path) < MEGABYTE

/** The primary result code; extended codes carry more in their upper bits. */
export const resultCode = (error: unknown): number | undefined => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

const systemCode = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
