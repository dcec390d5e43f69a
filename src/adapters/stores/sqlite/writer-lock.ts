/** One writer for an index: a row that says who, checked inside every write. A lock whose owner has ended is taken over. */

import { randomUUID } from 'node:crypto'
import { QuarryError } from '../../../core/errors.js'
import type { Database, WriteOptions } from './database.js'
import { hostIdentity, processIdentity } from './process-identity.js'

const HEARTBEAT_MILLISECONDS = 10_000
/** Counts only for owners that cannot be asked: on another machine or in another container. */
const SILENT_MILLISECONDS = 60_000

/** Locks of this process: a row that a failed release left behind must not keep the process itself out. */
const heldHere = new Set<string>()

interface LockRow {
  readonly token: string
  readonly pid: number
  readonly identity: string
  readonly host: string
  readonly since: number
  readonly heartbeat: number
}

export interface WriterLock {
  /** A write transaction, refused when the lock was lost. */
  write<Result>(work: () => Result, options?: WriteOptions): Result
  /** Never fails: a lock whose owner is gone is recognised by the next writer. */
  release(): void
}

export const acquireWriterLock = (database: Database, now: () => number): WriterLock => {
  const token = randomUUID()
  // Reading waits for nobody; to begin a write, the whole process would stand still until the other's transaction is over.
  database.read(() => refuseWhileHeld(database, now()))
  database.write(() => {
    refuseWhileHeld(database, now())
    database.run(
      'REPLACE INTO writer_lock (id, token, pid, identity, host, since, heartbeat) VALUES (1, ?, ?, ?, ?, ?, ?)',
      token,
      process.pid,
      processIdentity(process.pid) ?? '',
      hostIdentity(),
      now(),
      now(),
    )
  })
  heldHere.add(token)
  const write: WriterLock['write'] = (work, options) =>
    database.write(() => {
      const kept = database.value<string | undefined>('SELECT token FROM writer_lock')
      if (kept !== token) {
        throw new QuarryError(
          'INDEX_LOCKED',
          'Another indexer took the index over while this one was silent',
          {
            hint: 'quarry status',
          },
        )
      }
      return work()
    }, options)
  const beat = (): void => {
    try {
      write(() => database.run('UPDATE writer_lock SET heartbeat = ?', now()))
    } catch {
      // A missed beat does no harm; the next write reports what is wrong.
    }
  }
  const timer = setInterval(beat, HEARTBEAT_MILLISECONDS)
  timer.unref()
  return {
    write,
    release: () => {
      clearInterval(timer)
      heldHere.delete(token)
      try {
        database.write(() => database.run('DELETE FROM writer_lock WHERE token = ?', token))
      } catch {
        // The disk may be full; the row then names a lock that nobody holds.
      }
    },
  }
}

/** Throws `INDEX_LOCKED` while some writer is at work. */
export const refuseWhileHeld = (database: Database, now: number): void => {
  const lock = database.get<LockRow>('SELECT token, pid, identity, host, since, heartbeat FROM writer_lock')
  if (lock === undefined || !isHeld(lock, now)) return
  const since = new Date(lock.since).toISOString()
  throw new QuarryError('INDEX_LOCKED', `An indexer is already running (pid ${lock.pid}, since ${since})`, {
    hint: 'quarry status',
  })
}

const isHeld = (lock: LockRow, now: number): boolean => {
  const isSilent = Math.abs(now - lock.heartbeat) > SILENT_MILLISECONDS
  if (lock.host !== hostIdentity()) return !isSilent
  const identity = processIdentity(lock.pid)
  if (identity === null) return false
  if (lock.pid === process.pid && identity === lock.identity) return heldHere.has(lock.token)
  return identity === '' || lock.identity === '' ? !isSilent : identity === lock.identity
}
