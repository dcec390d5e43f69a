/**
 * A conversation that comes twice: the turns of both, each once. Nothing that was noted is lost when an export grows, overlaps
 * with another or comes in parts, and taking in the same file again changes nothing.
 */

import type { Turn } from '../../core/notes.js'

/** In order of time; turns of the same moment stay as they came. What has the same id is the same turn, in its newer words. */
export const mergeTurns = (before: readonly Turn[], incoming: readonly Turn[]): readonly Turn[] => {
  const turns = new Map(keyed(before))
  for (const [key, turn] of keyed(incoming)) turns.set(key, turn)
  return [...turns.values()].sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
}

const timeOf = ({ time = '' }: Turn): string => time

/** Someone may say the same twice within a minute: equal turns of one list are told apart by their number. */
const keyed = (turns: readonly Turn[]): readonly (readonly [string, Turn])[] => {
  const counts = new Map<string, number>()
  return turns.map(turn => {
    const { id, time, speaker, text } = turn
    const key = id === undefined ? JSON.stringify([time, speaker, text]) : JSON.stringify([id])
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return [`${key}${count}`, turn]
  })
}

/** One list for each day in UTC; turns without a time are a day of their own. */
export const byDay = (turns: readonly Turn[]): ReadonlyMap<string, readonly Turn[]> => {
  const days = new Map<string, Turn[]>()
  for (const turn of turns) {
    const day = turn.time?.slice(0, 10) ?? 'undated'
    const said = days.get(day)
    if (said) said.push(turn)
    else days.set(day, [turn])
  }
  return days
}
