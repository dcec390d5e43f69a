/**
 * A chat that WhatsApp exported as text: `31/12/2023, 22:15 - Ada: text` or `[31.12.23, 22:15:30] Ada: text`. Which number is the
 * month depends on the telephone; the file itself usually tells. The clock is taken as UTC.
 */

import type { RawTurn } from '../conversation.js'

const HEAD =
  /^\[?(\d{1,4})([./-])(\d{1,2})\2(\d{1,4}),? (\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s?([ap]\.?\s?m\.?)?\]?(?: -)? (.*)$/i
/** Marks of direction and narrow blanks that telephones put in. */
const MARKS = /[\u200e\u200f\u202a-\u202e]/g

export const isWhatsApp = (text: string): boolean => {
  const lines = text
    .slice(0, 10_000)
    .split('\n', 40)
    .map(tidy)
    .filter(line => line.trim() !== '')
  return HEAD.test(lines[0] ?? '') && lines.filter(line => HEAD.test(line)).length * 4 >= lines.length
}

export const readWhatsApp = (text: string, name: string): readonly RawTurn[] => {
  const lines = text.split('\n').map(tidy)
  const order = orderOf(lines)
  const turns: { line: number; speaker: string; time: unknown; said: string[] }[] = []
  for (const [at, line] of lines.entries()) {
    const head = HEAD.exec(line)
    if (head === null) {
      turns.at(-1)?.said.push(line)
      continue
    }
    const [, speaker, first = ''] = /^([^:]{1,100}): ?(.*)$/.exec(head[9]!) ?? []
    turns.push({ line: at + 1, speaker: speaker?.trim() ?? '', time: timeOf(head, order), said: [first] })
  }
  const session = `whatsapp/${sessionOf(name)}`
  return (
    turns
      .map(({ line, speaker, time, said }) => ({
        line,
        session,
        speaker,
        time,
        text: said.join('\n').trim(),
        extra: {},
      }))
      // Without a speaker it is a notice: who came, who went, that it is encrypted.
      .filter(({ speaker, text }) => speaker !== '' && text !== '')
  )
}

const tidy = (line: string): string =>
  line
    .replace(MARKS, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/\r$/, '')

type Order = 'day first' | 'month first' | 'year first'

/** A number above 12 is no month. Where there is none, an American clock goes with an American date. */
const orderOf = (lines: readonly string[]): Order => {
  let order: Order = 'day first'
  for (const line of lines) {
    const head = HEAD.exec(line)
    if (head === null) continue
    if (head[1]!.length === 4) return 'year first'
    if (Number(head[1]) > 12) return 'day first'
    if (Number(head[3]) > 12) return 'month first'
    if (head[8] !== undefined && head[2] === '/') order = 'month first'
  }
  return order
}

const timeOf = (head: RegExpExecArray, order: Order): string => {
  const [, one, , two, three, hour, minute, second = '00', half = ''] = head
  const [year, month, day] = {
    'day first': [three, two, one],
    'month first': [three, one, two],
    'year first': [one, two, three],
  }[order]
  const isAfternoon = /^p/i.test(half)
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  const full = year!.length === 2 ? `20${year}` : year!
  return `${full}-${pad(month!)}-${pad(day!)}T${pad(String(hours))}:${minute}:${second}Z`
}

const pad = (number: string): string => number.padStart(2, '0')

/** `WhatsApp Chat with Ada.txt`; on an iPhone `_chat.txt` in a directory of that name. */
const sessionOf = (name: string): string => {
  const parts = name.split('/')
  const file = parts.at(-1)!.replace(/\.[^.]*$/, '')
  const named = file === '_chat' && parts.length > 1 ? parts.at(-2)! : file
  return named.replace(/^WhatsApp Chat (?:with|-) /i, '')
}
