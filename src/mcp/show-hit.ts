/** A hit as an agent gets it: as data, and as a few lines of text. Everything in it is clean. */

import type { Hit } from '../core/answers.js'
import { questionWords } from '../present/question-words.js'
import { bestLines, linesOf, type Snippet } from '../present/snippet.js'
import type { Detail } from '../present/text.js'
import type { Shown } from './budget.js'
import { clean, cleanLine } from './fence.js'
import { showNote } from './show-note.js'
import { isSuspicious } from './suspicious.js'

const EXCERPT_LINES = 12
const DIFF_LINES = 80
const MESSAGE_LINES = 4
const LONGEST_LINE = 400
const LONGEST_COMPACT = 160

export const showHit = (hit: Hit, question: string, detail: Detail): Shown => {
  const safe = { ...hit, text: clean(hit.text) }
  if (hit.note !== undefined) return showNote(safe, detail)
  return hit.commit === undefined ? showCode(safe, question, detail) : showCommit(safe, detail)
}

const showCode = (hit: Hit, question: string, detail: Detail): Shown => {
  const { startLine, lines } = codeLines(hit, question, detail)
  const endLine = startLine + lines.length - 1
  const text = lines.join('\n')
  const path = cleanLine(hit.path)
  const symbol = hit.symbol === null ? null : cleanLine(hit.symbol)
  const warning = flag(hit.text)
  const excerpt = startLine === hit.startLine && endLine === hit.endLine ? {} : { textStartLine: startLine }
  const head = `${path}:${hit.startLine}-${hit.endLine}${symbol === null ? '' : ` ${symbol}`} [${hit.id}]`
  const from = startLine === hit.startLine ? '' : ` from line ${startLine}`
  return {
    data: {
      ...{ id: hit.id, kind: hit.kind, path, startLine: hit.startLine, endLine: hit.endLine, symbol },
      ...{ language: hit.language, score: hit.score, ...excerpt, text, ...warning },
      ...parts(hit, detail),
    },
    text:
      detail === 'compact'
        ? `${path}:${startLine}: ${text}${symbol === null ? '' : ` (${symbol})`}${note(warning)}`
        : `${head}${from}${note(warning)}\n${text}\n`,
  }
}

const codeLines = (hit: Hit, question: string, detail: Detail): Snippet => {
  if (detail === 'full') return linesOf(hit)
  const words = questionWords(question)
  const { startLine, lines } = bestLines(hit, words, detail === 'compact' ? 1 : EXCERPT_LINES)
  return detail === 'compact'
    ? { startLine, lines: lines.map(line => cut(line.trim(), LONGEST_COMPACT)) }
    : { startLine, lines: lines.map(line => cut(line, LONGEST_LINE)) }
}

/** What a commit and its hunk say; the parts of an explanation are shown by the same. */
export const commitData = (
  hit: Pick<Hit, 'path' | 'startLine' | 'endLine' | 'symbol'> & Partial<Hit>,
  detail: Detail,
): Record<string, unknown> => {
  const { commit = '', date = '', author = '', change, oldPath, hunks = 0 } = hit
  return {
    ...{ commit: detail === 'full' ? commit : commit.slice(0, 12), date: date.slice(0, 10) },
    ...{ author: cleanLine(author), message: messageOf(hit.message ?? '', detail) },
    ...(hit.path !== '' && { path: cleanLine(hit.path), startLine: hit.startLine, endLine: hit.endLine }),
    ...(hit.symbol !== null && { symbol: cleanLine(hit.symbol) }),
    ...(change && { change }),
    ...(oldPath !== undefined && { oldPath: cleanLine(oldPath) }),
    ...(hunks > 1 && { hunks }),
  }
}

/** `4f2a9c1b0d3e 2024-05-01 Ada Lovelace: Retry on 429` and where. */
export const commitHead = (data: Readonly<Record<string, unknown>>): string => {
  const [subject = '', ...rest] = String(data.message).split('\n')
  const place = data.path === undefined ? '' : `\n${data.path}:${data.startLine}-${data.endLine}`
  const symbol = data.symbol === undefined ? '' : ` ${data.symbol}`
  const change = data.change === undefined || data.change === 'modified' ? '' : ` (${data.change})`
  return `${[`${data.commit} ${data.date} ${data.author}: ${subject}`, ...rest].join('\n')}${place}${symbol}${change}`
}

const showCommit = (hit: Hit, detail: Detail): Shown => {
  const lines = hit.text.replace(/\n$/, '').split('\n')
  const most = detail === 'compact' || hit.path === '' ? 0 : detail === 'full' ? lines.length : DIFF_LINES
  const diff = diffLines(lines, most, detail)
  const warning = flag(`${hit.message ?? ''}\n${hit.text}`)
  const related = (hit.related ?? []).map(({ symbol, path, line }) => ({
    ...{ symbol: cleanLine(symbol), path: cleanLine(path), line },
  }))
  const data = {
    ...{ id: hit.id, kind: hit.kind, ...commitData(hit, detail), score: hit.score },
    ...(diff !== '' && { text: diff }),
    ...(detail !== 'compact' && related.length > 0 && { related }),
    ...warning,
    ...parts(hit, detail),
  }
  const now = related.map(({ symbol, path, line }) => `${symbol} ${path}:${line}`).join(', ')
  const text = [
    `${commitHead(data)}${note(warning)}`,
    ...(diff === '' ? [] : [diff]),
    ...(detail === 'compact' || now === '' ? [] : [`now: ${now}`]),
    ...(detail === 'compact' ? [] : ['']),
  ]
  return { data, text: text.join('\n') }
}

/** The first lines of a hunk, and how many are missing. */
export const diffLines = (lines: readonly string[], most: number, detail: Detail): string => {
  if (most === 0) return ''
  const shown = lines
    .slice(0, most)
    .map(line => (detail === 'full' ? line : cut(line.replace(/\r$/, ''), LONGEST_LINE)))
  const more = lines.length - shown.length
  return [...shown, ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n')
}

const messageOf = (message: string, detail: Detail): string => {
  const lines = clean(message)
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line !== '')
  const most = detail === 'full' ? lines.length : detail === 'compact' ? 1 : MESSAGE_LINES
  return lines
    .slice(0, most)
    .map(line => (detail === 'full' ? line : cut(line, LONGEST_LINE)))
    .join('\n')
}

/** What each stage of the ranking made of it: worth its tokens only to those who want everything. */
export const parts = ({ explain }: Hit, detail: Detail): Record<string, unknown> =>
  detail === 'full' && explain
    ? { parts: explain.map(({ stage, score }) => ({ stage, score: Number(score.toFixed(4)) })) }
    : {}

export const flag = (text: string): { readonly suspicious?: true } =>
  isSuspicious(text) ? { suspicious: true } : {}

export const note = ({ suspicious }: { readonly suspicious?: true }): string =>
  suspicious ? ' (suspicious: speaks to a model)' : ''

export const cut = (line: string, longest: number): string =>
  line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
