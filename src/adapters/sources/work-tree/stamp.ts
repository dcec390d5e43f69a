/** A stamp says which version of a file was seen, from its status alone: the same stamp, and there is nothing to read. */

import type { BigIntStats } from 'node:fs'

export const stampOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `${size}-${mtimeNs}-${ctimeNs}-${ino}`

/** What a file looked at too soon after its last change is stamped with: never equal to a stamp, so it is read again. */
export const unsettled = (stamp: string): string => `${stamp}~`

/**
 * Whether the file may change once more without its status showing it, because clocks of file systems tick slowly. `ctime`
 * alone counts: programs can set `mtime` at will. A clock that shows parts of milliseconds ticks every few of them; others
 * (FAT, old HFS+) every two seconds.
 */
export const isUnsettled = ({ ctimeNs }: BigIntStats, nowMilliseconds: number): boolean => {
  const ticksFast = ctimeNs % 1_000_000n !== 0n
  const age = nowMilliseconds - Number(ctimeNs / 1_000_000n)
  const window = ticksFast ? 100 : 2000
  return age < window && age > -window
}
