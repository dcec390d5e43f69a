/** Asks the file system about one file, by its status alone: the stamp of a file that is worth reading, or why not. */

import { lstatSync } from 'node:fs'
import { type Refusal, refusalOf } from './read-bytes.js'
import { stampOf } from './stamp.js'

const OPTIONS = { bigint: true, throwIfNoEntry: false } as const

/** `path` is absolute. */
export const fileStatus = (path: string, maxFileBytes: bigint): string | Refusal => {
  try {
    const status = lstatSync(path, OPTIONS)
    if (!status) return { reason: 'vanished' }
    if (!status.isFile()) return { reason: status.isSymbolicLink() ? 'link' : 'not-a-file' }
    if (status.size === 0n) return { reason: 'empty' }
    if (status.size > maxFileBytes) return { reason: 'too-large', detail: `${status.size} bytes` }
    return stampOf(status)
  } catch (error) {
    return refusalOf(error)
  }
}
