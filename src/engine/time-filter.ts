/** Times in a question become filters, and the answer says so: nothing is narrowed behind the reader's back. */

import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { ChunkFilter } from '../core/questions.js'
import { readTimeWords } from '../text/time-words.js'
import type { History } from './history.js'

export interface TimedQuestion {
  /** Without the words that were understood as a time, unless there are no others. */
  readonly question: string
  readonly filter: ChunkFilter
  /** `“last month”: since 2026-10-16`. */
  readonly understood: readonly string[]
  readonly warnings: readonly Warning[]
}

/** Only short questions: a long report speaks of many times, and of none as a wish. */
const LONGEST = 300

export const timeFilter = async (
  question: string,
  filter: ChunkFilter,
  history: History,
  now: number,
): Promise<TimedQuestion> => {
  const asIs = { question, filter, understood: [], warnings: [] }
  if (question.length > LONGEST || question.includes('\n')) return asIs
  const { phrases, rest, since, until, afterTag, beforeTag } = readTimeWords(question, now)
  if (phrases.length === 0) return asIs
  const after = afterTag === undefined ? undefined : await timeOf(afterTag, history)
  const before = beforeTag === undefined ? undefined : await timeOf(beforeTag, history)
  const unknown = [after === null && afterTag, before === null && beforeTag].filter(Boolean)
  if (unknown.length > 0) {
    const message = `“${phrases.join('”, “')}” was not understood as a time: there is no tag ${unknown.join(', ')}`
    return { ...asIs, warnings: [{ code: 'UNKNOWN_TAG', message, hint: 'git tag --list' }] }
  }
  const from = filter.since ?? latest(since, after ?? undefined)
  const to = filter.until ?? earliest(until, before ?? undefined)
  const said = [from !== undefined && `since ${day(from)}`, to !== undefined && `until ${day(to)}`]
  return {
    // Whoever asks for a time and nothing else wants what was done then.
    question: rest === '' ? question : rest,
    filter: { ...filter, ...(from !== undefined && { since: from }), ...(to !== undefined && { until: to }) },
    understood: [`“${phrases.join('”, “')}”: ${said.filter(Boolean).join(', ')}`],
    warnings: [],
  }
}

const latest = (a?: number, b?: number) => (a === undefined ? b : b === undefined ? a : Math.max(a, b))
const earliest = (a?: number, b?: number) => (a === undefined ? b : b === undefined ? a : Math.min(a, b))
const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** When the commit of a tag came to stand where it stands; null when there is no such tag. */
const timeOf = async (tag: string, history: History): Promise<number | null> => {
  // People say “version 2.0” for a tag called v2.0, and the other way round.
  for (const name of [tag, tag.startsWith('v') ? tag.slice(1) : `v${tag}`]) {
    try {
      return await history.timeOf(name)
    } catch (error) {
      if (!(error instanceof QuarryError && error.code === 'BAD_INPUT')) throw error
    }
  }
  return null
}
