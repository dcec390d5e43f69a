/** What the reader should know of how a question was taken: that it was cut, or that nothing of it stands in the index. */

import type { Warning } from '../core/answers.js'
import type { ChunkKind } from '../core/types.js'
import { isStopWord } from '../text/stop-words.js'
import { tokenise } from '../text/tokenise.js'
import type { Plan, Variation } from './plan.js'
import { LONGEST_QUESTION } from './understand.js'

export const sayDoubts = (
  question: string,
  plan: Plan,
  variations: readonly Variation[],
  hasFound: boolean,
): readonly Warning[] => [
  ...(question.length > LONGEST_QUESTION
    ? [
        {
          code: 'QUESTION_CUT',
          message: `The question has ${question.length} characters: only the first ${LONGEST_QUESTION} were read`,
          hint: 'ask for less at a time',
        },
      ]
    : []),
  ...(hasFound && !hasKnownWord(plan, variations)
    ? [
        {
          code: 'NO_WORD_FOUND',
          message: `No word of the question occurs in the ${NAMES[plan.source]}: what is shown is only near in meaning`,
          hint: 'ask with other words',
        },
      ]
    : []),
]

const NAMES: Readonly<Record<ChunkKind, string>> = { code: 'code', hunk: 'history', note: 'notes' }

/** A part of an identifier counts as a word; of a question that is made of stop words, those do. */
const hasKnownWord = (plan: Plan, variations: readonly Variation[]): boolean => {
  const known = [plan.asked, ...variations].flatMap(({ terms }) => terms.map(({ token }) => token))
  if (known.some(token => !isStopWord(token))) return true
  const asked = tokenise(plan.question)
  return asked.length > 0 && asked.every(isStopWord)
}
