/**
 * The time limit of a parse. It counts the time that this thread was running, where the system tells it: on a machine that
 * is busy with other things the clock on the wall would give up files that parse well, and the index would differ from
 * run to run.
 */

import { readFileSync } from 'node:fs'

/** Even on a busy machine a parse ends after so many times its limit on the wall clock. */
export const PATIENCE = 5

/** Says whether the time is up. */
export const timeLimit = (milliseconds: number): (() => boolean) => {
  const start = performance.now()
  const startRunning = runningMilliseconds()
  return () => {
    const elapsed = performance.now() - start
    if (elapsed <= milliseconds) return false
    const running = runningMilliseconds()
    if (running === undefined || startRunning === undefined) return true
    return running - startRunning > milliseconds || elapsed > PATIENCE * milliseconds
  }
}

/** Linux: nanoseconds that this thread has spent on a processor. Elsewhere undefined. */
const runningMilliseconds = (): number | undefined => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6 || undefined
  } catch {
    return undefined
  }
}
