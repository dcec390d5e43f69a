/** What SQLite and the file system report, sorted by what it means to people. Index and notebook say it in words of their own. */

import { statfsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'

export type FailureKind = 'full' | 'damaged' | 'busy' | 'not-allowed' | 'other'

const [PERM, BUSY, READONLY, CORRUPT, FULL, CANTOPEN, NOTADB] = [3, 5, 8, 11, 13, 14, 26]
/** Damage that SQLite reports as an ordinary error. */
const DAMAGE = /malformed|corrupt|fts5: |no such (table|column|module)|vtable constructor failed/i
const NOT_ALLOWED = new Set<unknown>(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST'])
const MEGABYTE = 1024 * 1024

/** What errors of the driver and of the file system carry. */
interface Reported {
  readonly code?: unknown
  readonly errcode?: unknown
  readonly systemErrno?: unknown
}

export const failureKind = (error: unknown): FailureKind => {
  const code = resultCode(error)
  if (code === FULL || isOutOfRoom(error)) return 'full'
  if (code === CORRUPT || code === NOTADB) return 'damaged'
  if (code === BUSY) return 'busy'
  if (mayNotWrite(error) || code === PERM || NOT_ALLOWED.has((error as Reported | null)?.code))
    return 'not-allowed'
  return DAMAGE.test(messageOf(error)) ? 'damaged' : 'other'
}

/** Where a file may be read but its directory not be written. */
export const mayNotWrite = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === READONLY || code === CANTOPEN
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The primary result code; extended codes carry more in their upper bits. */
const resultCode = (error: unknown): number | undefined => {
  const code = (error as Reported | null | undefined)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** SQLite calls only ENOSPC "full"; quotas and limits on file sizes mean the same to people. */
const isOutOfRoom = (error: unknown): boolean =>
  (['ENOSPC', 'EDQUOT', 'EFBIG'] as const).some(name => isSystemError(error, name))

/** The file system names its errors, SQLite hands on their numbers. */
export const isSystemError = (error: unknown, name: keyof typeof constants.errno): boolean => {
  const { code, systemErrno } = (error ?? {}) as Reported
  return code === name || systemErrno === constants.errno[name]
}

export const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(1)

export const freeBytes = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return 0
  }
}
