/**
 * Ends a git that takes too much memory. Git lists all files of a commit before it says a word of it, and its own limit counts
 * single allocations only: a tree of trees that are all the same, a kilobyte on disk, would take all there is.
 */

import { readFileSync } from 'node:fs'

/** A diff of two files of a hundred megabytes takes less; what takes more is tried again without its large files. */
const MOST_BYTES = 512 << 20
const LOOK_MILLISECONDS = 200

export const OVER_MEMORY = 'out of memory: git took more than 512 MB'

/** Calls `stop` once, if it comes to that; only where the system tells. Returns how to end the watch. */
export const watchMemory = (pid: number | undefined, stop: () => void): (() => void) => {
  if (pid === undefined || process.platform !== 'linux') return () => {}
  const timer = setInterval(() => {
    if (privateBytes(pid) <= MOST_BYTES) return
    clearInterval(timer)
    stop()
  }, LOOK_MILLISECONDS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Without what is mapped from files: packs are, and cost nothing. */
const privateBytes = (pid: number): number => {
  try {
    const [, kilobytes = '0'] =
      /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}
