/**
 * Priors of history: how well a commit fits, from what the lanes said of it and what sort of commit it is. Scores are summed,
 * not ranks: how far the first is ahead of the second says a lot here. Every weight has its row in docs/history.md.
 */

import type { Candidate, CommitFacts, WeighedTerm } from '../core/types.js'
import { tokenise } from '../text/tokenise.js'

/** The part of a plan that is looked at: the words of the title, or of the whole question where it has none. */
export interface CommitQuestion {
  readonly titleTerms: readonly WeighedTerm[]
}

const WEIGHTS = { vector: 0.75, quickVector: 0.5, fix: 0.05, reference: 0.05, title: 0.1 } as const

export const weighCommits = (
  candidates: readonly Candidate[],
  { titleTerms }: CommitQuestion,
): readonly Candidate[] =>
  candidates
    .map(candidate => {
      const { commit, header } = candidate.chunk
      const parts: Readonly<Record<string, number>> = {
        text: candidate.signals.strengths.text ?? 0,
        vector: similarity(candidate),
        fix: commit && isFix(commit) ? WEIGHTS.fix : 0,
        reference: commit && namesAnIssue(commit) ? WEIGHTS.reference : 0,
        title: WEIGHTS.title * shareSaid(`${commit?.message ?? ''}\n${header}`, titleTerms),
      }
      const score = Object.values(parts).reduce((sum, part) => sum + part, 0) / HIGHEST
      const why = Object.entries(parts)
        .filter(([, part]) => part !== 0)
        .map(([name, part]) => `${name} ${part.toFixed(2)}`)
        .join(' + ')
      return { ...candidate, score, ledger: [...candidate.ledger, { stage: 'priors', score, why }] }
    })
    .sort((a, b) => b.score - a.score)

const HIGHEST = 1 + WEIGHTS.vector + WEIGHTS.fix + WEIGHTS.reference + WEIGHTS.title

/** Raw cosines: how near the nearest is says whether anything fits at all. The static table counts while there is nothing else. */
const similarity = ({ signals }: Candidate): number => {
  const cosines = Object.entries(signals.cosines)
  const deep = cosines.find(([embedder]) => !embedder.startsWith('static'))
  if (deep) return WEIGHTS.vector * Math.max(0, deep[1])
  return WEIGHTS.quickVector * Math.max(0, cosines[0]?.[1] ?? 0)
}

const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|close[sd]?|resolve[sd]?|regressions?|handl(?:e[sd]?|ing)|correct(?:s|ed|ly)?|prevent(?:s|ed)?|avoid(?:s|ed)?|ensure[sd]?)\b/i
const ISSUE = /(?:#|\bgh-)\d+/i
const MESSAGE_READ = 1_000

const isFix = ({ message }: CommitFacts): boolean => FIX.test(message.slice(0, MESSAGE_READ))
const namesAnIssue = ({ message }: CommitFacts): boolean => ISSUE.test(message.slice(0, MESSAGE_READ))

/** Of what is asked, weighed by rarity. */
const shareSaid = (text: string, terms: readonly WeighedTerm[]): number => {
  const said = new Set(tokenise(text.slice(0, 4 * MESSAGE_READ)))
  let found = 0
  let total = 0
  for (const { token, rarity } of terms) {
    total += rarity
    if (said.has(token)) found += rarity
  }
  return total === 0 ? 0 : found / total
}
