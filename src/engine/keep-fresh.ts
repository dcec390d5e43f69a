/**
 * `watch`: brings the index up to date, waits until something stirs and is quiet again, and begins anew. What stirred is never
 * asked: a run finds out for itself, so nothing is lost when the system drops events.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { QuarryError } from '../core/errors.js'
import type { Source } from '../core/ports.js'
import type { Quarry, WatchRequest } from './api.js'

export interface KeepFreshParts {
  readonly source: Source
  readonly index: Quarry['index']
  /** Tells of every branch that moves, until what comes back is called. */
  readonly watchBranches: (onStir: () => void) => () => void
}

/** So long nothing may stir before it is worth looking: a checkout writes thousands of files in a row. */
const QUIET_MS = 300
/** But something that never rests must not keep everything else out. */
const LONGEST_STIR_MS = 10_000
/** Where the system cannot watch, or dropped the last event of all. */
const UNWATCHED_MS = 5_000
const WATCHED_MS = 300_000
const LOCKED_MS = 1_000

export const freshKeeper =
  ({ source, index, watchBranches }: KeepFreshParts): Quarry['watch'] =>
  async ({ signal, onRefresh, onTrouble = () => {} }) => {
    const bell = openBell()
    const watch = source.watch?.()
    watch?.onStir(bell.ring)
    const stopBranches = watchBranches(bell.ring)
    const isWatching = (): boolean => typeof watch?.stirs() === 'number'
    try {
      let isFirst = true
      let lastTrouble: string | undefined
      while (!signal.aborted) {
        bell.reset()
        const outcome = await attempt(() => index({ stage: 'first', signal }))
        if (signal.aborted) break
        if (outcome instanceof QuarryError) {
          // Said once, not every second.
          if (outcome.message !== lastTrouble) onTrouble(outcome)
          lastTrouble = outcome.message
          await rest(outcome.code === 'INDEX_LOCKED' ? LOCKED_MS : UNWATCHED_MS, signal)
          continue
        }
        lastTrouble = undefined
        await onRefresh({ report: outcome, isFirst, isWatching: isWatching() })
        isFirst = false
        await bell.rung(isWatching() ? WATCHED_MS : UNWATCHED_MS, signal)
        await untilQuiet(bell, signal)
      }
    } finally {
      watch?.close()
      stopBranches()
    }
  }

const attempt = async <Result>(run: () => Promise<Result>): Promise<Result | QuarryError> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof QuarryError && !FINAL.has(error.code)) return error
    throw error
  }
}

/** Waiting would not help. */
const FINAL: ReadonlySet<WatchTrouble['code']> = new Set(['BAD_PATH', 'BAD_CONFIG', 'INDEX_TOO_NEW'])
type WatchTrouble = Parameters<NonNullable<WatchRequest['onTrouble']>>[0]

interface Bell {
  ring(): void
  reset(): void
  /** When it last rang; null since the reset. */
  rangAt(): number | null
  /** Until it rings or the time is over. Comes back at once if it rang since the reset. */
  rung(milliseconds: number, signal: AbortSignal): Promise<void>
}

const openBell = (): Bell => {
  let last: number | null = null
  let wake = (): void => {}
  return {
    ring() {
      last = performance.now()
      wake()
    },
    reset() {
      last = null
    },
    rangAt: () => last,
    async rung(milliseconds, signal) {
      if (last !== null) return
      const over = new AbortController()
      wake = () => over.abort()
      await rest(milliseconds, AbortSignal.any([signal, over.signal]))
    },
  }
}

const untilQuiet = async (bell: Bell, signal: AbortSignal): Promise<void> => {
  const until = performance.now() + LONGEST_STIR_MS
  while (!signal.aborted && performance.now() < until) {
    const rangAt = bell.rangAt()
    const left = rangAt === null ? 0 : rangAt + QUIET_MS - performance.now()
    if (left <= 0) return
    await rest(left, signal)
  }
}

const rest = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal }).catch(() => {})
