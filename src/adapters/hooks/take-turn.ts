/**
 * Many hooks at once, as in a rebase of a hundred commits, need one refresh that starts after the last of them. A file says
 * that someone waits to start; whoever comes meanwhile may leave, because the one who waits will see their commit too.
 */

import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Commits of one command come closer together than this. */
const SETTLE_MS = 500
/** Longer than anyone waits: the file of a process that was killed. */
const STALE_MS = 10_000

/** True when it is this process's turn to start; false when another one waits already. */
export const takeTurn = async (file: string, signal?: AbortSignal): Promise<boolean> => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!isFirst(file)) return false
  try {
    await pause(SETTLE_MS, undefined, { signal })
    return true
  } finally {
    rmSync(file, { force: true })
  }
}

const isFirst = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Math.abs(Date.now() - made) < STALE_MS) return false
  rmSync(file, { force: true })
  return isFirst(file)
}
