/** Cuts a hunk down to the part that tells of certain lines. */

import type { ExplainingCommit, LineSpan } from '../core/explanation.js'
import { type HunkLine, hunkLines } from '../text/hunk-lines.js'

export interface Excerpt {
  /** The `@@` line and what is shown below it. */
  readonly lines: readonly string[]
  /** How many lines were left out between the two, and at the end. */
  readonly before: number
  readonly after: number
}

const MOST_LINES = 30
/** What stays above the first of the lines: git shows as much. */
const LEAD = 3

export const excerptOf = (
  { text, role, originalLines }: Pick<ExplainingCommit, 'text' | 'role' | 'originalLines'>,
  isFull: boolean,
): Excerpt => {
  const [head = '', ...body] = text.replace(/\n$/, '').split('\n')
  if (isFull || body.length <= MOST_LINES) return { lines: [head, ...body], before: 0, after: 0 }
  const side = role === 'removed' || role === 'moved' ? 'before' : 'after'
  const [, ...places] = hunkLines(text)
  const first = Math.max(
    0,
    places.findIndex(place => place !== null && isTold(place, side, originalLines)),
  )
  // What the lines took the place of is shown with them, if there is room.
  let top = first
  while (top > 0 && places[top - 1]?.sign === '-') top--
  const wanted = Math.max(top - LEAD, first - MOST_LINES / 2)
  const start = Math.max(0, Math.min(wanted, body.length - MOST_LINES))
  const shown = body.slice(start, start + MOST_LINES)
  return { lines: [head, ...shown], before: start, after: body.length - start - shown.length }
}

const isTold = (place: HunkLine, side: 'before' | 'after', spans: readonly LineSpan[]): boolean =>
  place.sign !== (side === 'after' ? '-' : '+') &&
  spans.some(([start, end]) => start <= place[side] && place[side] <= end)
