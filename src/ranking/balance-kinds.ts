/**
 * One ranking over several kinds. Scores of different kinds mean different things, so each becomes a chance: how often a hit of
 * this kind with this score, for a question that sounds like this, was right. Fitted by `npm run bench -- balance`.
 */

import type { LedgerLine } from '../core/questions.js'
import type { ChunkKind } from '../core/types.js'
import { KIND_CHANCES } from './kind-chances.js'

/** What a question sounds like: it asks for what was, tells of something that goes wrong, or asks for what is. */
export type Mood = 'past' | 'trouble' | 'present'

const PAST =
  /\b(?:when (?:was|were|did)|why (?:was|were|did|is|are|does|do)|who|previous(?:ly)?|formerly|used to|histor(?:y|ical)|commit(?:s|ted)?|was|were|did|changed|introduced|removed|dropped|deleted|added|renamed|reverted|migrated|deprecated|refactored|no longer|anymore|before v?\d)\b/i
const TROUBLE =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|regressions?|br(?:oken?|eaks)|crash(?:e[sd]|ing)?|fail(?:s|ed|ing|ure)?|errors?|exceptions?|wrong|incorrect(?:ly)?|not work(?:ing)?|does ?n[o']t|can ?not|can't|unexpected(?:ly)?|missing|leaks?|hangs?)\b/i

export const moodOf = (question: string): Mood =>
  PAST.test(question) ? 'past' : TROUBLE.test(question) ? 'trouble' : 'present'

/** Of a logistic curve over the score of a hit and the logarithm of its rank. */
interface Chance {
  readonly base: number
  readonly byScore: number
  readonly byRank: number
}

/** No labelled questions ask for the past in so many words: there what is true of trouble holds, with code held back. */
export type KindChances = Readonly<Record<Exclude<Mood, 'past'>, Readonly<Record<ChunkKind, Chance>>>>

const CODE_HELD_BACK = 2
/** Whoever asks what people said asks the notes. Not fitted: no labelled questions know all three kinds. */
const NOTES_BROUGHT_FORWARD = 2
const TALK =
  /\b(?:we|us|our|said|says?|told|mention(?:s|ed)?|discuss(?:ed|ion)?|decid(?:e|ed)|decisions?|agree(?:d|ment)?|promised?|meetings?|conversations?|talk(?:s|ed)?|remember(?:ed)?|notes?|noted)\b/i

interface BalanceOptions {
  /** Kinds in which no word of the question occurs: what is found there is near in meaning at best, and stands behind the others. */
  readonly wordless?: ReadonlySet<ChunkKind>
  readonly chances?: KindChances
}

interface OfAKind {
  readonly kind: ChunkKind
  readonly score: number
  readonly explain?: readonly LedgerLine[]
}

/** Best first; within a kind the order stays as it was. */
export const balanceKinds = <Item extends OfAKind>(
  lists: readonly (readonly Item[])[],
  question: string,
  { wordless = new Set(), chances = KIND_CHANCES }: BalanceOptions = {},
): readonly Item[] => {
  const mood = moodOf(question)
  const isTalk = TALK.test(question)
  const weigh = (list: readonly Item[], ceiling: number): readonly Item[] => {
    let lowest = ceiling
    return list.map((item, position) => {
      const { kind, explain } = item
      const chance = chanceOf(curveOf(chances, mood, kind, isTalk), item.score, position + 1)
      // Never above the hit before it: the order within a kind was made with more knowledge.
      const score = Math.min(lowest, ceiling * chance)
      lowest = score
      const why = `${kind}, a question about ${mood === 'trouble' ? mood : `the ${mood}`}: right in ${Math.round(100 * score)} of 100`
      return { ...item, score, ...(explain && { explain: [...explain, { stage: 'balance', score, why }] }) }
    })
  }
  const isWordless = (list: readonly Item[]) => list.some(({ kind }) => wordless.has(kind))
  const worded = lists.filter(list => !isWordless(list)).flatMap(list => weigh(list, 1))
  const ceiling = Math.min(1, ...worded.map(({ score }) => score))
  const rest = lists.filter(isWordless).flatMap(list => weigh(list, ceiling))
  return [...worded, ...rest].sort((a, b) => b.score - a.score)
}

const curveOf = (chances: KindChances, mood: Mood, kind: ChunkKind, isTalk: boolean): Chance => {
  if (kind === 'note' && isTalk) {
    const curve = chances[mood === 'past' ? 'trouble' : mood].note
    return { ...curve, base: curve.base + NOTES_BROUGHT_FORWARD }
  }
  if (mood !== 'past') return chances[mood][kind]
  const curve = chances.trouble[kind]
  return kind === 'code' ? { ...curve, base: curve.base - CODE_HELD_BACK } : curve
}

const chanceOf = ({ base, byScore, byRank }: Chance, score: number, rank: number): number =>
  1 / (1 + Math.exp(-(base + byScore * score + byRank * Math.log(rank))))
