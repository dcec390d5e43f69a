/** A batch of files and what the file system says of them, and how the two threads of `statuses.ts` tell each other. */

import type { Refusal } from './read-bytes.js'

export interface Batch {
  readonly number: number
  readonly paths: readonly string[]
}

/** Of the files of one batch. */
export interface BatchStatuses {
  /** One line a file: its stamp, or nothing where it has none. One text, because two hundred take far longer to hand over. */
  readonly stamps: string
  /** Files without a stamp: their position in the batch, and why. */
  readonly refusals: readonly (readonly [position: number, refusal: Refusal])[]
}

export interface BatchResult extends BatchStatuses {
  readonly number: number
}

export interface HelperData {
  /** What stands before each path. */
  readonly prefix: string
  readonly maxFileBytes: bigint
  /** By batch: 0 is free, 1 is taken. */
  readonly claims: Int32Array
}

export const askStatuses = (
  paths: readonly string[],
  statusOf: (path: string) => string | Refusal,
): BatchStatuses => {
  const refusals: [number, Refusal][] = []
  const stamps = paths.map((path, position) => {
    const status = statusOf(path)
    if (typeof status === 'string') return status
    refusals.push([position, status])
    return ''
  })
  return { stamps: stamps.join('\n'), refusals }
}
