/** One line of code as a reader sees it: safe to print, of bearable length, with the question's words painted. */

import type { Paint } from './paint.js'
import { wordSpans } from './question-words.js'
import { sanitiseLine } from './sanitise.js'

const LONGEST_LINE = 200
/** What stays before the first match when a long line is cut on its left. */
const LEAD = 40

export const showLine = (
  line: string,
  words: ReadonlySet<string>,
  paint: Paint,
  longest = LONGEST_LINE,
): string => {
  const readable = cut(sanitiseLine(line.replaceAll('\t', '  ')), words, longest)
  let shown = ''
  let from = 0
  for (const { start, end } of wordSpans(readable, words)) {
    shown += readable.slice(from, start) + paint.word(readable.slice(start, end))
    from = end
  }
  return shown + readable.slice(from)
}

const cut = (line: string, words: ReadonlySet<string>, longest: number): string => {
  if (line.length <= longest) return line
  const first = wordSpans(line, words)[0]?.start ?? 0
  const start = first < longest - LEAD ? 0 : first - LEAD
  const end = start + longest
  return `${start > 0 ? '…' : ''}${whole(line, start, end)}${end < line.length ? '…' : ''}`
}

/** Never half of a character: a pair cut through would print as a replacement mark. */
const whole = (line: string, start: number, end: number): string =>
  line
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '')
