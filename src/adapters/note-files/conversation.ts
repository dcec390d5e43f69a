/**
 * Conversations as JSON Lines: `{"session", "time", "speaker", "text"}` and, if there is one, `"id"`. A line that cannot be
 * read costs that line; a time that cannot be believed costs the time. What else a line says is kept with it.
 */

import type { Turn } from '../../core/notes.js'
import { readTime } from '../../text/note-times.js'
import type { SessionDraft } from './draft.js'

export interface LineRemark {
  readonly line?: number
  readonly message: string
  readonly isTaken: boolean
}

/** A turn whose time is still to be settled. */
export interface RawTurn {
  /** 0 where there are no lines to count. */
  readonly line: number
  readonly session: string
  readonly speaker: string
  readonly text: string
  readonly time: unknown
  readonly extra: Readonly<Record<string, unknown>>
}

/** Far above any turn; a line that is longer is no line of a conversation. */
const LONGEST_LINE = 4 * 1024 * 1024
const LONGEST_NAME = 500

export const readConversation = (
  text: string,
  sessionUnlessSaid: string,
): { readonly drafts: readonly SessionDraft[]; readonly remarks: readonly LineRemark[] } => {
  const remarks: LineRemark[] = []
  const turns: RawTurn[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const turn = readLine(line, at + 1, sessionUnlessSaid)
    if (typeof turn === 'string') remarks.push({ line: at + 1, message: turn, isTaken: false })
    else turns.push(turn)
  }
  const drafts = draftsOf(turns, remarks)
  return { drafts, remarks: remarks.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) }
}

/** One draft for each session, in the order in which they begin. */
export const draftsOf = (turns: readonly RawTurn[], remarks: LineRemark[]): readonly SessionDraft[] => {
  const sessions = new Map<string, RawTurn[]>()
  for (const turn of turns) {
    const said = sessions.get(turn.session)
    if (said) said.push(turn)
    else sessions.set(turn.session, [turn])
  }
  return [...sessions.values()].map(raw => ({ form: 'session', turns: withTimes(raw, remarks) }))
}

const readLine = (line: string, number: number, sessionUnlessSaid: string): RawTurn | string => {
  if (line.length > LONGEST_LINE) return `the line is longer than ${LONGEST_LINE} characters`
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'the line is not JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the line is no JSON object'
  const { session = sessionUnlessSaid, time, speaker = '', text, ...extra } = value as Record<string, unknown>
  if (typeof text !== 'string' || text.trim() === '') return 'the turn has no text'
  const names = { session: nameOf(session), speaker: nameOf(speaker) }
  if (names.session === null || names.session === '') return 'the session is no name'
  if (names.speaker === null) return 'the speaker is no name'
  return {
    line: number,
    session: names.session,
    speaker: names.speaker,
    text: text.toWellFormed(),
    time,
    extra,
  }
}

const nameOf = (value: unknown): string | null => {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.length <= LONGEST_NAME ? text.trim().toWellFormed() : null
}

/** A turn without a time was said when the one before it was; before the first that has one, when that was. */
const withTimes = (raw: readonly RawTurn[], remarks: LineRemark[]): readonly Turn[] => {
  const readings = raw.map(({ time }) => readTime(time))
  const timeAt = (at: number) => {
    const reading = readings[at]
    return reading && 'time' in reading ? reading.time : undefined
  }
  let latest = readings.map((_, at) => timeAt(at)).find(time => time !== undefined)
  return raw.map((turn, at) => {
    latest = timeAt(at) ?? latest
    const reading = readings[at]
    const isOdd = reading !== null && reading !== undefined && 'odd' in reading
    if (isOdd)
      remarks.push({
        ...(turn.line > 0 && { line: turn.line }),
        message: `${reading.odd}; ${settled(latest)}`,
        isTaken: true,
      })
    const { id, ...extra } = turn.extra
    return {
      session: turn.session,
      ...(latest !== undefined && { time: new Date(latest).toISOString() }),
      speaker: turn.speaker,
      text: turn.text,
      ...(id !== undefined && id !== null && { id: String(id) }),
      ...extra,
      // What stood there is kept: nothing of what was said is thrown away.
      ...(isOdd && { givenTime: turn.time }),
    }
  })
}

const settled = (time: number | undefined): string =>
  time === undefined ? 'the turn is kept without one' : 'the turn takes that of its neighbour'
