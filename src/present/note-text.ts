/** A hit from the notes as people read it: who said it when, between what was said before and after. */

import type { Hit } from '../core/answers.js'
import type { Paint } from './paint.js'
import { sanitiseLine } from './sanitise.js'
import { showLine } from './show-line.js'

const NEIGHBOUR_CHARACTERS = 160
const TURN_LINES = 12

export const isTurn = (hit: Hit): boolean => hit.note?.form === 'session'
export const isRemembered = (hit: Hit): boolean => hit.note?.form === 'note'

/** `2024-05-01 09:12  Ada  standup, turn 3  #release  1f0c…` */
export const noteLine = ({ id, note }: Hit, paint: Paint): string => {
  const { time, speaker, session, turn, tags, id: own } = note!
  const place = session === undefined ? '' : paint.path(`${sanitiseLine(session)}, turn ${turn}`)
  const facts = [
    shortTime(time),
    speaker === undefined ? '' : paint.symbol(sanitiseLine(speaker)),
    place,
    tags.map(tag => `#${sanitiseLine(tag)}`).join(' '),
    paint.faint(sanitiseLine((note!.form === 'note' ? own : undefined) ?? id)),
  ]
  return facts.filter(fact => fact !== '').join('  ')
}

/** To the minute, in UTC; `undated` where nobody knows. */
export const shortTime = (time: string | null): string =>
  time === null ? 'undated' : time.slice(0, 16).replace('T', ' ')

/** The turn with its neighbours, which are short and faint. */
export const turnLines = (
  hit: Hit,
  words: ReadonlySet<string>,
  paint: Paint,
  isFull: boolean,
): readonly string[] => {
  const { neighbours = [], startLine } = hit
  const near = (isWanted: (turn: number) => boolean) =>
    neighbours
      .filter(({ turn }) => isWanted(turn))
      .map(({ speaker, text }) => paint.faint(`  ${sanitiseLine(speaker)}: ${cut(text, isFull)}`))
  return [
    ...near(turn => turn < startLine),
    ...saidLines(hit, words, paint, isFull).map(line => `> ${line}`),
    ...near(turn => turn > startLine),
  ]
}

/** The words of the hit itself. */
export const saidLines = (
  { text }: Hit,
  words: ReadonlySet<string>,
  paint: Paint,
  isFull: boolean,
): readonly string[] => {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const shown = isFull ? lines : lines.slice(0, TURN_LINES)
  const more = lines.length - shown.length
  const longest = isFull ? Number.POSITIVE_INFINITY : 600
  const said = shown.map(line => showLine(line, words, paint, longest))
  return more > 0 ? [...said, paint.faint(`… ${more} more lines: --detail full`)] : said
}

const cut = (text: string, isFull: boolean): string => {
  const line = sanitiseLine(text.replace(/\s+/g, ' ').trim())
  return isFull || line.length <= NEIGHBOUR_CHARACTERS
    ? line
    : `${line.slice(0, NEIGHBOUR_CHARACTERS).toWellFormed()}…`
}
