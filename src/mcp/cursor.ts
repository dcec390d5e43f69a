/**
 * How an agent gets the rest of an answer that was cut: a cursor says how far it has read, of which question, and of which index.
 * The question is asked again as it was, so that the order is the same; the last hit that was shown is the place to go on from,
 * wherever a newer index has moved it.
 */

import { createHash } from 'node:crypto'
import type { Answer, Hit, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'

export interface Page {
  /** The answer without what was shown before. */
  turn(answer: Answer): Answer
  /** Where to go on after so many hits of the answer that `turn` gave. */
  cursorAfter(shown: number): string
}

interface Mark {
  readonly question: string
  readonly skip: number
  readonly last: string
  readonly indexedAt: string
}

/** What of the parameters makes the question: how much of it is shown at a time may change between pages. */
const NOT_ASKED = new Set(['cursor', 'max_tokens', 'detail'])

export const openPage = (tool: string, given: Readonly<Record<string, unknown>>): Page => {
  const asked = Object.entries(given).filter(([key, value]) => !NOT_ASKED.has(key) && value !== undefined)
  const question = createHash('sha256')
    .update(JSON.stringify([tool, asked.sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex')
    .slice(0, 8)
  const mark = given.cursor === undefined ? null : read(String(given.cursor), question)
  let from = 0
  let turned: Answer | undefined
  return {
    turn(answer) {
      const { hits, warnings, index } = answer
      if (mark !== null) {
        const last = hits.findIndex(hit => nameOf(hit) === mark.last)
        from = last === -1 ? mark.skip : last + 1
        turned = {
          ...answer,
          hits: hits.slice(from),
          warnings:
            mark.indexedAt === shortTime(index.indexedAt) && last !== -1 ? warnings : [...warnings, MOVED],
        }
      }
      turned ??= answer
      return turned
    },
    cursorAfter(shown) {
      const last = turned!.hits[shown - 1]!
      return written({
        question,
        skip: from + shown,
        last: nameOf(last),
        indexedAt: shortTime(turned!.index.indexedAt),
      })
    },
  }
}

const MOVED: Warning = {
  code: 'INDEX_MOVED',
  message: 'The index has changed since the page before: hits may come again or be missing',
  hint: 'ask without the cursor',
}

/** Of a commit its own name: which of its hunks is the best may change. */
const nameOf = ({ id, commit }: Hit): string => (commit ?? id).slice(0, 12)

const shortTime = (time: string | null): string => (time === null ? '' : Date.parse(time).toString(36))

/** Short, because an agent pays for it twice: when it reads and when it writes it. */
const written = ({ question, skip, last, indexedAt }: Mark): string =>
  [question, skip, last, indexedAt].join('.')

const FORM = /^([0-9a-f]{8})\.([1-9]\d{0,3})\.([^.]{1,12})\.([0-9a-z]*)$/

const read = (cursor: string, question: string): Mark => {
  const [, asked, skip, last, indexedAt] = FORM.exec(cursor) ?? []
  if (asked === question) return { question, skip: Number(skip), last: last!, indexedAt: indexedAt! }
  const message =
    asked === undefined ? 'cursor is none that an answer gave' : 'cursor belongs to another question'
  throw new QuarryError('BAD_INPUT', message, {
    hint: 'send all parameters as before, or leave the cursor out',
  })
}
