/** Progress of one stage: rate over the whole stage and time to go, told at most ten times a second. */

import type { Progress } from '../core/answers.js'

const EVERY_MS = 100

export interface Meter {
  add(count: number): void
}

export const meter = (
  stage: Progress['stage'],
  total: number,
  now: () => number,
  onProgress: ((progress: Progress) => void) | undefined,
): Meter => {
  const started = now()
  let done = 0
  let told = Number.NEGATIVE_INFINITY
  const tell = (): void => {
    const seconds = Math.max(0.001, (now() - started) / 1000)
    const rate = done / seconds
    onProgress?.({ stage, done, total, rate, etaSeconds: rate > 0 ? Math.max(0, total - done) / rate : null })
  }
  if (total > 0) tell()
  return {
    add(count) {
      done += count
      if (now() - told < EVERY_MS && done < total) return
      told = now()
      tell()
    },
  }
}
