/** Reads a file until it holds still: a document must be one version of its file, never a mix of two. */

import type { Breather } from './breather.js'
import { type Bytes, isPassing, readBytes } from './read-bytes.js'
import { isUnsettled } from './stamp.js'

const ATTEMPTS = 3
const ATTEMPTS_FOR_DESCRIPTORS = 7

export const readSettled = async (
  path: string,
  limit: number,
  now: () => number,
  breathe: Breather,
): Promise<Bytes> => {
  for (let attempt = 1; ; attempt++) {
    const result = readTwiceIfYoung(path, limit, now)
    const isWorthAnother =
      'reason' in result &&
      ((result.reason === 'changing' && attempt < ATTEMPTS) ||
        (isPassing(result) && attempt < ATTEMPTS_FOR_DESCRIPTORS))
    if (!isWorthAnother) return result
    await breathe.longer(10 * 2 ** attempt)
  }
}

/** A write within the same tick of the file system's clock does not show in the status: for young files the bytes decide. */
const readTwiceIfYoung = (path: string, limit: number, now: () => number): Bytes => {
  const first = readBytes(path, limit)
  if ('reason' in first || !isUnsettled(first.status, now())) return first
  const second = readBytes(path, limit)
  if ('reason' in second) return second
  return first.bytes.equals(second.bytes) ? second : { reason: 'changing' }
}
