/** One chunk for each turn of a conversation; its line is the number of the turn. Who speaks is a name, not part of the words. */

import type { Chunk } from '../../../core/types.js'
import { turnsOf } from '../../../text/turns.js'

export const cutTurns = (text: string): readonly Chunk[] =>
  turnsOf(text).map(({ speaker, text: words }, position) => {
    const line = position + 1
    const symbols = speaker === '' ? [] : [{ name: speaker, kind: 'speaker', qualifiedName: speaker, line }]
    return {
      startLine: line,
      endLine: line,
      text: words,
      header: '',
      symbols,
      fields: { body: words, symbols: speaker },
    }
  })
