/** An answer as people read it: `path:line`, the symbol, the best lines, and on request what each stage did. */

import type { Answer, Hit } from '../core/answers.js'
import type { LedgerLine } from '../core/questions.js'
import { changeNote, commitLine, diffLines, isFromHistory, messageBody, relatedNote } from './commit-text.js'
import { isRemembered, isTurn, noteLine, saidLines, shortTime, turnLines } from './note-text.js'
import { type Paint, paintWith } from './paint.js'
import { questionWords } from './question-words.js'
import { sanitiseLine } from './sanitise.js'
import { showLine } from './show-line.js'
import { bestLines, linesOf, type Snippet, USUAL_LINES } from './snippet.js'
import { withoutSecrets } from './without-secrets.js'

/** `compact`: one line a hit. `normal`: the best few lines. `full`: the whole chunk. */
export type Detail = 'compact' | 'normal' | 'full'

export interface TextOptions {
  readonly detail?: Detail
  readonly colour?: boolean
  /** The address a place leads to when it is clicked; absent where links cannot be followed. */
  readonly link?: (path: string, line: number) => string
}

/** Ends with a line break unless there is nothing to say. */
export const answerText = (answer: Answer, options: TextOptions = {}): string => {
  const words = questionWords(answer.query)
  const paint = paintWith(options.colour ?? false)
  const show: Show = (hit, ...rest) => {
    if (isFromHistory(hit)) return (options.detail === 'compact' ? showCommitLine : showCommit)(hit, ...rest)
    if (isTurn(hit) || isRemembered(hit))
      return (options.detail === 'compact' ? showNoteLine : showNote)(hit, ...rest)
    return (options.detail === 'compact' ? showCompact : showBlock)(hit, ...rest)
  }
  const between = options.detail === 'compact' ? '' : '\n'
  return withoutSecrets(answer)
    .hits.map(hit => show(hit, words, paint, options))
    .join(between)
}

type Show = (hit: Hit, words: ReadonlySet<string>, paint: Paint, options: TextOptions) => string

/** As grep and compilers write it, so that editors can jump to it. */
const showCompact: Show = (hit, words, paint, options) => {
  const { startLine, lines } = bestLines(hit, words, 1)
  const symbol = hit.symbol === null ? '' : `  ${paint.faint(`(${sanitiseLine(hit.symbol)})`)}`
  const line = showLine(lines[0]!.trim(), words, paint, 120)
  return `${place(hit, startLine, paint, options)}: ${line}${symbol}\n${ledger(hit.explain, paint)}`
}

const showBlock: Show = (hit, words, paint, options) => {
  const best = bestLines(hit, words, USUAL_LINES)
  const snippet = options.detail === 'full' ? linesOf(hit) : best
  const symbol = hit.symbol === null ? '' : `  ${paint.symbol(sanitiseLine(hit.symbol))}`
  const noted = hit.note === undefined ? '' : `  ${paint.faint(shortTime(hit.note.time))}`
  const longest = options.detail === 'full' ? Number.POSITIVE_INFINITY : undefined
  return [
    `${place(hit, best.startLine, paint, options)}${symbol}${noted}\n`,
    numbered(snippet, paint, line => showLine(line, words, paint, longest)),
    ledger(hit.explain, paint),
  ].join('')
}

const showCommitLine: Show = (hit, _, paint) =>
  `${commitLine(hit, paint)}${hit.path === '' ? '' : `  ${paint.path(sanitiseLine(hit.path))}:${hit.startLine}`}\n${ledger(hit.explain, paint)}`

const showCommit: Show = (hit, words, paint, options) => {
  const isFull = options.detail === 'full'
  const indent = (line: string) => `  ${line}\n`
  const head = [
    `${commitLine(hit, paint)}\n`,
    ...messageBody(hit, isFull).map(line => indent(paint.faint(line))),
  ]
  if (hit.path === '') return [...head, ledger(hit.explain, paint)].join('')
  const symbol = hit.symbol === null ? '' : `  ${paint.symbol(sanitiseLine(hit.symbol))}`
  const note = changeNote(hit)
  const now = relatedNote(hit)
  return [
    ...head,
    `${place(hit, hit.startLine, paint, options)}${symbol}${note && `  ${paint.faint(note)}`}\n`,
    ...diffLines(hit, words, paint, isFull).map(indent),
    ...(now === '' ? [] : [indent(`${paint.faint('now:')} ${now}`)]),
    ledger(hit.explain, paint),
  ].join('')
}

const showNoteLine: Show = (hit, words, paint) => {
  const line = showLine(hit.text.replace(/\s+/g, ' ').trim(), words, paint, 120)
  return `${noteLine(hit, paint)}: ${line}\n${ledger(hit.explain, paint)}`
}

const showNote: Show = (hit, words, paint, options) => {
  const lines = (isTurn(hit) ? turnLines : saidLines)(hit, words, paint, options.detail === 'full')
  return [`${noteLine(hit, paint)}\n`, ...lines.map(line => `  ${line}\n`), ledger(hit.explain, paint)].join(
    '',
  )
}

const place = (hit: Hit, line: number, paint: Paint, { link }: TextOptions): string => {
  const text = `${paint.path(sanitiseLine(hit.path))}:${paint.line(String(line))}`
  // A note lies in the notebook, not below the root.
  return link && hit.kind !== 'note'
    ? `\x1b]8;;${sanitiseLine(link(hit.path, line))}\x1b\\${text}\x1b]8;;\x1b\\`
    : text
}

const numbered = ({ startLine, lines }: Snippet, paint: Paint, show: (line: string) => string): string => {
  const width = Math.max(4, String(startLine + lines.length - 1).length)
  return lines
    .map((line, position) => {
      const gutter = paint.faint(String(startLine + position).padStart(width))
      return line === '' ? `  ${gutter}\n` : `  ${gutter}  ${show(line)}\n`
    })
    .join('')
}

const ledger = (lines: readonly LedgerLine[] | undefined, paint: Paint): string => {
  if (!lines || lines.length === 0) return ''
  const width = Math.max(...lines.map(({ stage }) => stage.length))
  return lines
    .map(({ stage, score, why }) =>
      paint.faint(`        ${stage.padEnd(width)}  ${score.toFixed(4).padStart(8)}  ${sanitiseLine(why)}`),
    )
    .map(line => `${line}\n`)
    .join('')
}
