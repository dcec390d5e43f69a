/** An explanation as people read it: for each commit who, when and what, which of the lines are its own, and the hunk. */

import type { ExplainingCommit, Explanation, LineSpan, RelatedCommit } from '../core/explanation.js'
import { changeNote, commitLine, messageBody, paintDiff, shortId } from './commit-text.js'
import { excerptOf } from './diff-excerpt.js'
import { type Paint, paintWith } from './paint.js'
import { sanitiseLine } from './sanitise.js'
import { counted } from './talk.js'
import type { TextOptions } from './text.js'
import { explainedWithoutSecrets } from './without-secrets.js'

const NO_WORDS: ReadonlySet<string> = new Set()

/** Ends with a line break unless there is nothing to say. */
export const explanationText = (explanation: Explanation, options: TextOptions = {}): string => {
  const paint = paintWith(options.colour ?? false)
  const { exact, related, uncommitted } = explainedWithoutSecrets(explanation)
  const show = options.detail === 'compact' ? showCompact : showBlock
  const parts = [
    ...(uncommitted
      ? [`${paint.warning('not committed yet')}\n  ${shareText(uncommitted.share, uncommitted.lines)}\n`]
      : []),
    ...exact.map(commit => show(commit, paint, options)),
    ...related.map(commit => show(commit, paint, options)),
  ]
  return parts.join(options.detail === 'compact' ? '' : '\n')
}

/** `3 commits explain 92 % of 11 lines · 5 related` */
export const explanationSummary = ({ exact, related, startLine, endLine }: Explanation): string => {
  const wrote = exact.filter(({ role }) => role === 'wrote')
  const share = wrote.reduce((sum, commit) => sum + commit.share, 0)
  const verb = wrote.length === 1 ? 'explains' : 'explain'
  const lines = counted(endLine - startLine + 1, 'line')
  const said = `${counted(wrote.length, 'commit')} ${verb} ${percent(share)} of ${lines}`
  return related.length === 0 ? said : `${said} · ${related.length} related`
}

/** `62 %  lines 10–14, 18` */
export const shareText = (share: number, lines: readonly LineSpan[]): string =>
  `${percent(share)}  ${spanText(lines)}`

/** What makes it part of the explanation: `exact`, `exact, deleted here`, `inferred, same symbol`. */
export const provenanceText = (commit: ExplainingCommit | RelatedCommit): string => {
  if ('why' in commit) return `${commit.provenance}, ${commit.why}`
  const { provenance, role, change, path } = commit
  if (role === 'moved') return `${provenance}, moved to ${sanitiseLine(path)} here`
  if (role !== 'removed') return provenance
  return `${provenance}, ${change === 'deleted' ? 'deleted here' : 'removed or changed here'}`
}

const spanText = (lines: readonly LineSpan[]): string => {
  const isOne = lines.length === 1 && lines[0]![0] === lines[0]![1]
  const spans = lines.map(([start, end]) => (start === end ? String(start) : `${start}–${end}`))
  return `${isOne ? 'line' : 'lines'} ${spans.join(', ')}`
}

/** Never 0 % of something, nor 100 % of less than all. */
const percent = (share: number): string => {
  const rounded = Math.round(100 * share)
  return `${share > 0 && share < 1 ? Math.min(99, Math.max(1, rounded)) : rounded} %`
}

type Show = (commit: ExplainingCommit | RelatedCommit, paint: Paint, options: TextOptions) => string

const showCompact: Show = (commit, paint) => {
  const lines = commit.lines.length === 0 ? '' : `  ${shareText(commit.share, commit.lines)}`
  return `${commitLine(commit, paint)}${lines}  ${paint.faint(provenanceText(commit))}\n`
}

const showBlock: Show = (commit, paint, options) => {
  const isFull = options.detail === 'full'
  const indent = (line: string) => `  ${line}\n`
  const share = commit.lines.length === 0 ? '' : `${shareText(commit.share, commit.lines)}  `
  const note = changeNote(commit)
  const symbol = commit.symbol === null ? '' : `  ${paint.symbol(sanitiseLine(commit.symbol))}`
  const place = `${paint.path(sanitiseLine(commit.path))}:${paint.line(String(commit.startLine))}`
  return [
    `${commitLine(commit, paint)}\n`,
    ...messageBody(commit, isFull).map(line => indent(paint.faint(line))),
    indent(`${share}${paint.faint(provenanceText(commit))}`),
    commit.path === '' ? '' : `${place}${symbol}${note && `  ${paint.faint(note)}`}\n`,
    ...(commit.text === '' ? [] : diffOf(commit, paint, isFull).map(indent)),
  ].join('')
}

const diffOf = (commit: ExplainingCommit, paint: Paint, isFull: boolean): readonly string[] => {
  const { lines, before, after } = excerptOf(commit, isFull)
  const painted = lines.map(line => paintDiff(line.replace(/\r$/, ''), NO_WORDS, paint))
  const skipped = before > 0 ? [paint.faint(`… ${counted(before, 'line')} above`)] : []
  const whole = `git show ${shortId(commit)} -- ${sanitiseLine(commit.path)}`
  const rest = after > 0 ? [paint.faint(`… ${counted(after, 'more line')}: ${whole}`)] : []
  const [head = '', ...body] = painted
  return [head, ...skipped, ...body, ...rest]
}
