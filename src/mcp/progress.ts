/** Progress of an index run as the protocol wants it: numbers that only grow, and not too many of them. */

import type { Progress } from '../core/answers.js'

export interface ProgressNote {
  readonly progress: number
  readonly message: string
}

const LEAST_GAP_MS = 200

/** Each stage is a hundred steps; how many stages there will be is not known, so there is no total. */
export const progressNotes = (
  send: (note: ProgressNote) => void,
  now: () => number = Date.now,
): ((progress: Progress) => void) => {
  let stage: string | undefined
  let base = -100
  let last = 0
  let sentAt = Number.NEGATIVE_INFINITY
  return progress => {
    const isNew = progress.stage !== stage
    if (isNew) base = Math.max(base + 100, Math.ceil(last))
    stage = progress.stage
    const { done, total } = progress
    const value = base + (total > 0 ? Math.min(100, (100 * done) / total) : 0)
    if (value <= last || (!isNew && now() - sentAt < LEAST_GAP_MS)) return
    last = value
    sentAt = now()
    send({ progress: Number(value.toFixed(2)), message: `${WORDS[progress.stage]}: ${done} of ${total}` })
  }
}

const WORDS: Readonly<Record<Progress['stage'], string>> = {
  chunk: 'reading files',
  history: 'reading commits',
  notes: 'reading notes',
  model: 'loading a model',
  embed: 'making vectors',
}
