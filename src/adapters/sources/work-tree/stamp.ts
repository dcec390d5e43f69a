/** A stamp says which version of a file was seen, from its status alone: the same stamp, and there is nothing to read. */

import type { BigIntStats } from 'node:fs'

export const stampOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size}-${mtimeNs}-${ctimeNs}-${ino}`

/** What a file looked at too soon after its last change is stamped with: never equal to a stamp, so it is read again. */
export const unsettled = (stamp: string): string => `${stamp}~`

/** The slowest clocks of file systems (FAT, old HFS+) tick every two seconds. */
const UNSETTLED_MILLISECONDS = 2000

/**
 * Whether the file may change once more without its status showing it: in the same tick of the clock, or because a writer
 * was stopped in the middle. `ctime` alone counts, as programs can set `mtime` at will.
 */
export const isUnsettled = ({ ctimeNs }: BigIntStats, nowMilliseconds: number): boolean =>
  Math.abs(nowMilliseconds - Number(ctimeNs / 1_000_000n)) < UNSETTLED_MILLISECONDS
