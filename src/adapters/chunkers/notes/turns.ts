/**
 * One chunk for each turn of a conversation; its line is the number of the turn. Who speaks is a name, not part of the words.
 * A turn is hardly understood alone, so the words around it are searched with it, in fields that count less.
 */

import type { Chunk } from '../../../core/types.js'
import { turnsOf, wordsOf } from '../../../text/turns.js'

export const cutTurns = (text: string): readonly Chunk[] => {
  const turns = turnsOf(text).map(turn => ({ ...turn, words: wordsOf(turn.speaker, turn.text) }))
  return turns.map(({ speaker, text: said, words, time }, position) => {
    const line = position + 1
    const before = turns[position - 1]?.words ?? ''
    const after = turns[position + 1]?.words ?? ''
    return {
      startLine: line,
      endLine: line,
      text: said,
      header: '',
      symbols: speaker === '' ? [] : [{ name: speaker, kind: 'speaker', qualifiedName: speaker, line }],
      fields: {
        body: words,
        symbols: speaker,
        // What it answers.
        title: isQuestion(before) ? before : '',
        notes: `${before}\n${after}`,
        header: time === undefined ? '' : dateWords(time),
      },
    }
  })
}

const isQuestion = (words: string): boolean => words.trimEnd().endsWith('?')

/** `8 May 2023`, as people ask for it. */
const dateWords = (time: string): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime())
    ? ''
    : `${date.getUTCDate()} ${date.toLocaleString('en', { month: 'long', timeZone: 'UTC' })} ${date.getUTCFullYear()}`
}
