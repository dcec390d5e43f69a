/** Lets the event loop turn between pieces of synchronous work, and notices there that the caller has given up. */

import { setImmediate, setTimeout } from 'node:timers/promises'
import { QuarryError } from '../../../core/errors.js'

export interface Breather {
  isDue(): boolean
  now(): Promise<void>
  /** For waiting until others are done: a writer, or someone who holds all file descriptors. */
  longer(milliseconds: number): Promise<void>
}

/** A tenth of what a person notices; a turn of the loop costs a thousandth of it. */
const SLICE_MILLISECONDS = 10

export const breather = (signal: AbortSignal | undefined): Breather => {
  let started = performance.now()
  const stopIfCancelled = (): void => {
    if (signal?.aborted)
      throw new QuarryError('CANCELLED', 'Reading the work tree was cancelled', { cause: signal.reason })
  }
  const after = async (pause: Promise<unknown>): Promise<void> => {
    await pause
    stopIfCancelled()
    started = performance.now()
  }
  stopIfCancelled()
  return {
    isDue: () => performance.now() - started > SLICE_MILLISECONDS,
    now: () => after(setImmediate()),
    longer: milliseconds => after(setTimeout(milliseconds)),
  }
}
