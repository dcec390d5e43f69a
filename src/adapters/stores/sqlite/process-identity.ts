/** Tells whether a process that wrote down its number is still the same one: numbers are used again. */

import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Fields of /proc/<pid>/stat behind the name in brackets, counted from there: state is 0, start time 19. */
const STATE = 0
const START_TIME = 19

/**
 * Changes when the number is given to another process; null when no such process runs; empty when the system does not
 * tell more than that it runs.
 */
export const processIdentity = (pid: number): string | null => {
  if (process.platform === 'linux') {
    const fields = statFields(pid)
    if (fields === null) return isRunning(pid) ? '' : null
    // A zombie has ended; it only waits for its parent.
    if (fields[STATE] === 'Z' || fields[STATE] === 'X') return null
    return `${bootId()}/${fields[START_TIME]}`
  }
  if (!isRunning(pid)) return null
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 2000,
    }).trim()
  } catch {
    return ''
  }
}

/** Machine and process number space: numbers mean nothing outside it. */
export const hostIdentity = (): string => {
  try {
    return `${hostname()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

const statFields = (pid: number): readonly string[] | null => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
