/** Work that nobody waits for word by word stands back behind answers, and behind whoever is typing. */

import { constants, setPriority } from 'node:os'

/** Of a process that was asked for and is waited for: a third of the share of others on a busy machine, all of an idle one. */
export const A_LITTLE = 5
/** Of a process behind. */
export const BELOW_NORMAL = constants.priority.PRIORITY_BELOW_NORMAL

export const giveWay = (priority: number, pid = 0): void => {
  try {
    setPriority(pid, priority)
  } catch {
    // It may have ended already, or the system may not allow it: then it runs as it is.
  }
}
