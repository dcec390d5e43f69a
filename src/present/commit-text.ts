/** A hit from history as people read it: who changed what when, the hunk as a diff, and where its names are now. */

import type { CommitHit, Hit } from '../core/answers.js'
import type { Paint } from './paint.js'
import { sanitiseLine } from './sanitise.js'
import { showLine } from './show-line.js'

export const DIFF_LINES = 80
const ID_DIGITS = 12
const MESSAGE_LINES = 3

/** Whatever tells of a commit: a hit, or a part of an explanation. */
export type Told = Partial<CommitHit> & Pick<Hit, 'path' | 'text'>

export const isFromHistory = (hit: Hit): boolean => hit.commit !== undefined

/** `4f2a9c1b0d3e  2024-05-01  Ada Lovelace  Retry on 429` */
export const commitLine = (hit: Told, paint: Paint): string => {
  const [subject = ''] = (hit.message ?? '').split('\n')
  const facts = [hit.date?.slice(0, 10) ?? '', paint.faint(sanitiseLine(hit.author ?? ''))]
  return [paint.line(shortId(hit)), ...facts, paint.symbol(sanitiseLine(subject))].join('  ')
}

export const messageBody = (hit: Told, isFull: boolean): readonly string[] => {
  const lines = (hit.message ?? '').split('\n').slice(1)
  const said = lines.map(line => sanitiseLine(line.trimEnd())).filter(line => line !== '')
  return isFull ? said : said.slice(0, MESSAGE_LINES)
}

/** `, renamed from old/name.ts, 1 of 7 hunks` */
export const changeNote = ({ change, oldPath, hunks = 1 }: Told): string => {
  const from = oldPath === undefined ? '' : ` from ${sanitiseLine(oldPath)}`
  const notes = [
    change && change !== 'modified' ? `${change}${from}` : '',
    hunks > 1 ? `1 of ${hunks} hunks` : '',
  ]
  return notes.filter(note => note !== '').join(', ')
}

export const diffLines = (
  hit: Hit,
  words: ReadonlySet<string>,
  paint: Paint,
  isFull: boolean,
): readonly string[] => {
  const lines = hit.text.replace(/\n$/, '').split('\n')
  const shown = isFull ? lines : lines.slice(0, DIFF_LINES)
  const more = lines.length - shown.length
  const painted = shown.map(line => paintDiff(line.replace(/\r$/, ''), words, paint))
  const rest = `… ${more} more line${more === 1 ? '' : 's'}: git show ${shortId(hit)} -- ${sanitiseLine(hit.path)}`
  return more > 0 ? [...painted, paint.faint(rest)] : painted
}

export const paintDiff = (line: string, words: ReadonlySet<string>, paint: Paint): string => {
  // What git itself says; lines of the file have a sign before them.
  if (/^(?:@@|rename |copy )/.test(line)) return paint.faint(sanitiseLine(line))
  const rest = showLine(line.slice(1), words, paint)
  if (line.startsWith('+')) return paint.good(`+${rest}`)
  return line.startsWith('-') ? paint.error(`-${rest}`) : ` ${rest}`
}

export const relatedNote = ({ related = [] }: Hit): string =>
  related.map(({ symbol, path, line }) => `${sanitiseLine(symbol)} ${sanitiseLine(path)}:${line}`).join(', ')

export const shortId = ({ commit = '' }: Pick<Told, 'commit'>): string => commit.slice(0, ID_DIGITS)
