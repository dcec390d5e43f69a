/**
 * Bytes of one file, read as if an enemy had the directory open: links are not followed, pipes and devices not opened, a
 * file that is swapped or written to while we read is noticed.
 */

import type { BigIntStats } from 'node:fs'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs'
import type { SkipReason } from '../../../core/types.js'

export interface Refusal {
  readonly reason: SkipReason
  readonly detail?: string
}

/** `changing` is worth another try; so is a refusal for want of file descriptors (`isPassing`). */
export type Bytes = { readonly bytes: Buffer; readonly status: BigIntStats } | Refusal

/** `O_NONBLOCK`: opening a pipe would wait for its writer. Windows has neither flag, nor the danger. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** `path` is absolute and goes through no link; a file larger than `limit` is not read. */
export const readBytes = (path: string, limit: number): Bytes => read(path, limit, true)

/** The text of a file that need not be there; null for whatever is no plain, readable, small file. */
export const readSmallFile = (path: string, limit: number): string | null => {
  const result = read(path, limit, false)
  return 'bytes' in result ? result.bytes.toString('utf8') : null
}

const read = (path: string, limit: number, mustBeFreeOfLinks: boolean): Bytes => {
  let descriptor: number | undefined
  try {
    const before = lstatSync(path, { bigint: true })
    if (before.isSymbolicLink()) return { reason: 'link' }
    // Some devices do something as soon as they are opened.
    if (!before.isFile()) return { reason: 'not-a-file' }
    descriptor = openSync(path, FLAGS)
    const status = fstatSync(descriptor, { bigint: true })
    if (!status.isFile()) return { reason: 'not-a-file' }
    if (!isSameFile(status, before)) return { reason: 'changing' }
    if (mustBeFreeOfLinks && !isAt(descriptor, status, path))
      return { reason: 'link', detail: 'a directory above it is a link' }
    if (status.size > BigInt(limit)) return { reason: 'too-large', detail: `${status.size} bytes` }
    const bytes = readWhole(descriptor, Number(status.size))
    const after = fstatSync(descriptor, { bigint: true })
    const isStill =
      bytes.length === Number(after.size) &&
      after.mtimeNs === status.mtimeNs &&
      after.ctimeNs === status.ctimeNs
    return isStill ? { bytes, status } : { reason: 'changing' }
  } catch (error) {
    return refusalOf(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Why the file system refused, in our words. */
export const refusalOf = (error: unknown): Refusal => {
  const code = (error as NodeJS.ErrnoException).code
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { reason: 'vanished' }
    case 'ELOOP':
    case 'EMLINK': // what FreeBSD says where others say ELOOP
      return { reason: 'link' }
    case 'ENXIO':
      return { reason: 'not-a-file' }
    case 'ENAMETOOLONG':
      return { reason: 'too-deep', detail: 'the path is too long for this system' }
    case undefined:
      throw error
    default:
      return { reason: 'unreadable', detail: code }
  }
}

/** Too many open files, here or on the whole machine: others will close theirs. */
export const isPassing = ({ detail }: Refusal): boolean => detail === 'EMFILE' || detail === 'ENFILE'

const isSameFile = (one: BigIntStats, other: BigIntStats): boolean =>
  one.ino === other.ino && one.dev === other.dev

/**
 * `O_NOFOLLOW` looks at the last part of the path only: a directory above may have become a link since the walk. Linux
 * tells where an open file is; elsewhere the path is resolved once more and must lead to the file that was opened.
 */
const isAt = (descriptor: number, status: BigIntStats, path: string): boolean => {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      // No /proc in this container: do as elsewhere.
    }
  }
  return realpathSync.native(path) === path && isSameFile(lstatSync(path, { bigint: true }), status)
}

/** At most `size` bytes: what is written behind them in the meantime shows in the status. */
const readWhole = (descriptor: number, size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, null)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
