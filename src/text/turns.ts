/** Turns of a conversation as lines of JSON, which is how a session is kept, searched and handed out again. */

import type { Turn } from '../core/notes.js'

/** Known fields first, in one order: equal turns are equal lines. Fields we do not know follow as they came. */
export const turnLine = ({ session, time, speaker, text, id, ...extra }: Turn): string =>
  JSON.stringify({
    session,
    ...(time !== undefined && { time }),
    speaker,
    text,
    ...(id !== undefined && { id }),
    ...extra,
  })

export const sessionText = (turns: readonly Turn[]): string => turns.map(turnLine).join('\n')

/** Only ever of lines that `turnLine` made. */
export const readTurn = (line: string): Turn => JSON.parse(line)

export const turnsOf = (text: string): readonly Turn[] => (text === '' ? [] : text.split('\n').map(readTurn))

/** Some programs write the name into the text as well: `Ann: Good morning`. */
export const wordsOf = (speaker: string, text: string): string =>
  speaker !== '' && text.startsWith(`${speaker}:`) ? text.slice(speaker.length + 1).trimStart() : text
