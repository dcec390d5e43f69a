/** An answer as Markdown, to be pasted into an issue or handed to a model. */

import type { Answer, Hit } from '../core/answers.js'
import { DIFF_LINES, isFromHistory, shortId } from './commit-text.js'
import { isRemembered, isTurn, shortTime } from './note-text.js'
import { questionWords } from './question-words.js'
import { sanitise, sanitiseLine } from './sanitise.js'
import { bestLines, linesOf } from './snippet.js'
import type { Detail } from './text.js'
import { withoutSecrets } from './without-secrets.js'

const SNIPPET_LINES = 12

export const answerMarkdown = (answer: Answer, options: { readonly detail?: Detail } = {}): string => {
  const words = questionWords(answer.query)
  const { hits } = withoutSecrets(answer)
  if (options.detail === 'compact')
    return hits.map(hit => `- ${title(hit, lineOf(hit, words))}${commitTitle(hit)}\n`).join('')
  return hits
    .map(hit => {
      if (isFromHistory(hit)) return commitMarkdown(hit, options.detail === 'full')
      if (isTurn(hit) || isRemembered(hit)) return noteMarkdown(hit)
      const best = bestLines(hit, words, SNIPPET_LINES)
      const { lines } = options.detail === 'full' ? linesOf(hit) : best
      return `### ${title(hit, best.startLine)}\n\n${fenced(lines.join('\n'), hit.language)}${ledger(hit)}`
    })
    .join('\n')
}

const lineOf = (hit: Hit, words: ReadonlySet<string>): number =>
  hit.kind === 'code' ? bestLines(hit, words, 1).startLine : hit.startLine

const title = (hit: Hit, line: number): string =>
  `${inline(`${hit.path}:${line}`)}${hit.symbol === null ? '' : ` ${inline(hit.symbol)}`}`

const noteMarkdown = (hit: Hit): string => {
  const { speaker, session, turn, time } = hit.note!
  const place = session === undefined ? hit.path : `${session}, turn ${turn}`
  const said = [shortTime(time), speaker, place].filter(fact => fact !== undefined && fact !== '')
  return `### ${said.map(fact => inline(fact!)).join(' ')}\n\n${fenced(hit.text, '')}${ledger(hit)}`
}

const commitMarkdown = (hit: Hit, isFull: boolean): string => {
  const place = hit.path === '' ? '' : `\n${title(hit, hit.startLine)}\n`
  const lines = hit.text.split('\n')
  const shown = isFull ? lines : lines.slice(0, DIFF_LINES)
  const more = lines.length > shown.length ? `\n${lines.length - shown.length} more lines\n` : ''
  return `###${commitTitle(hit)}\n${place}\n${fenced(shown.join('\n'), hit.path === '' ? '' : 'diff')}${more}${ledger(hit)}`
}

const commitTitle = (hit: Hit): string => {
  if (!isFromHistory(hit)) return ''
  const [subject = ''] = (hit.message ?? '').split('\n')
  return ` ${inline(shortId(hit))} ${hit.date?.slice(0, 10)} ${inline(hit.author ?? '')} ${inline(subject)}`
}

const ledger = ({ explain = [] }: Hit): string =>
  explain.length === 0
    ? ''
    : `\n${explain.map(({ stage, score, why }) => `- ${stage} ${score.toFixed(4)}: ${inline(why)}\n`).join('')}`

/** A fence longer than any run of backticks inside: the text cannot close it. */
export const fenced = (text: string, language: string): string => {
  const body = sanitise(text)
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return `${fence}${language.replace(/[^\w+#-]/g, '')}\n${body}\n${fence}\n`
}

export const inline = (text: string): string => {
  const body = sanitiseLine(text)
  const run = longestRun(body)
  return run === 0 ? `\`${body}\`` : `${'`'.repeat(run + 1)} ${body} ${'`'.repeat(run + 1)}`
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
