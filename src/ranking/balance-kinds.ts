/**
 * One ranking over several kinds. Scores of different kinds mean different things, so each becomes a chance: how often a hit of
 * this kind with this score, for a question that sounds like this, was right. Fitted by `npm run bench -- balance`.
 */

import type { ChunkKind, LedgerLine } from '../core/types.js'
import { KIND_CHANCES } from './kind-chances.js'

/** Words that ask for what was, not for what is. */
const PAST =
  /\b(?:when|why|who|previous(?:ly)?|before|formerly|used to|histor(?:y|ical)|commit(?:s|ted)?|chang(?:e[sd]?|ing)|introduc(?:e[sd]?|ing)|remov(?:e[sd]?|ing|al)|delet(?:e[sd]|ion)|add(?:ed|ing)|fix(?:e[sd]|ing)?|bugs?|regressions?|broke|refactor(?:ed|ing)?|renam(?:ed|ing)|revert(?:ed|s)?|migrat(?:ed|ion)|deprecat(?:ed|ion)|was|were|did|no longer|anymore|crash(?:es)?|fails?|error|wrong|incorrect(?:ly)?)\b/i

export const asksForThePast = (question: string): boolean => PAST.test(question)

/** Of a logistic curve over the score of a hit and the logarithm of its rank. */
interface Chance {
  readonly base: number
  readonly byScore: number
  readonly byRank: number
}

export type KindChances = Readonly<Record<'past' | 'present', Readonly<Record<ChunkKind, Chance>>>>

interface OfAKind {
  readonly kind: ChunkKind
  readonly score: number
  readonly explain?: readonly LedgerLine[]
}

/** Best first; within a kind the order stays as it was. */
export const balanceKinds = <Item extends OfAKind>(
  lists: readonly (readonly Item[])[],
  question: string,
  chances: KindChances = KIND_CHANCES,
): readonly Item[] => {
  const mood = asksForThePast(question) ? 'past' : 'present'
  const weighed = lists.flatMap(list => {
    let lowest = 1
    return list.map((item, position) => {
      const { kind, explain } = item
      // Never above the hit before it: the order within a kind was made with more knowledge.
      const score = Math.min(lowest, chanceOf(chances[mood][kind], item.score, position + 1))
      lowest = score
      const why = `${kind} that fits like this is right in ${Math.round(100 * score)} of 100 questions about the ${mood}`
      return { ...item, score, ...(explain && { explain: [...explain, { stage: 'balance', score, why }] }) }
    })
  })
  return weighed.sort((a, b) => b.score - a.score)
}

const chanceOf = ({ base, byScore, byRank }: Chance, score: number, rank: number): number =>
  1 / (1 + Math.exp(-(base + byScore * score + byRank * Math.log(rank))))
