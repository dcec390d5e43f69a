/**
 * Priors of history: how well a commit fits, from what the lanes said of it and what sort of commit it is. Scores are summed,
 * not ranks: how far the first is ahead of the second says a lot here. Every weight has its row in docs/history.md.
 */

import type { Candidate, Signals, WeighedTerm } from '../core/questions.js'
import type { CommitFacts } from '../core/types.js'
import { tokensSaid } from '../text/tokenise.js'
import { withLine } from './with-line.js'

/** The part of a plan that is looked at: the words of the title, or of the whole question where it has none. */
export interface CommitQuestion {
  readonly titleTerms: readonly WeighedTerm[]
}

export const WEIGHTS = { vector: 0.9, quickVector: 0.5, fix: 0.05, reference: 0.1, title: 0.05 } as const

export type CommitWeights = typeof WEIGHTS

/** What is said of a commit, each between 0 and 1, before anything is weighed. */
export type CommitSignals = Readonly<Record<keyof CommitWeights | 'text', number>>

export const commitSignals = (
  { chunk: { commit, header }, signals }: Candidate,
  { titleTerms }: CommitQuestion,
): CommitSignals => ({
  text: signals.strengths.text ?? 0,
  ...similarity(signals),
  fix: commit && isFix(commit) ? 1 : 0,
  reference: commit && namesAnIssue(commit) ? 1 : 0,
  title: shareSaid(`${commit?.message ?? ''}\n${header}`, titleTerms),
})

export const weighCommits = (
  candidates: readonly Candidate[],
  question: CommitQuestion,
): readonly Candidate[] =>
  candidates
    .map(candidate => {
      const { text, ...others } = commitSignals(candidate, question)
      const parts = Object.entries(others).map(
        ([name, signal]) => [name, WEIGHTS[name as keyof CommitWeights] * signal] as const,
      )
      const score = parts.reduce((sum, [, part]) => sum + part, text) / HIGHEST
      const why = () =>
        [['text', text] as const, ...parts]
          .filter(([, part]) => part !== 0)
          .map(([name, part]) => `${name === 'quickVector' ? 'vector' : name} ${part.toFixed(2)}`)
          .join(' + ')
      return withLine(candidate, 'priors', score, why)
    })
    .sort((a, b) => b.score - a.score)

const HIGHEST = 1 + WEIGHTS.vector + WEIGHTS.fix + WEIGHTS.reference + WEIGHTS.title

/** Raw cosines: how near the nearest is says whether anything fits at all. The static table counts while there is nothing else. */
const similarity = ({ cosines }: Signals): Pick<CommitSignals, 'vector' | 'quickVector'> => {
  const all = Object.entries(cosines)
  const deep = all.find(([embedder]) => !embedder.startsWith('static'))
  return {
    vector: Math.max(0, deep?.[1] ?? 0),
    quickVector: deep ? 0 : Math.max(0, all[0]?.[1] ?? 0),
  }
}

const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|bugfix|close[sd]?|resolve[sd]?|regressions?|handl(?:e[sd]?|ing)|correct(?:s|ed|ly)?|prevent(?:s|ed)?|avoid(?:s|ed)?|ensure[sd]?)\b/i
const ISSUE = /(?:#|\bgh-)\d+/i
const MESSAGE_READ = 1_000

const isFix = ({ message }: CommitFacts): boolean => FIX.test(message.slice(0, MESSAGE_READ))
const namesAnIssue = ({ message }: CommitFacts): boolean => ISSUE.test(message.slice(0, MESSAGE_READ))

/** Of what is asked, weighed by rarity. */
const shareSaid = (text: string, terms: readonly WeighedTerm[]): number => {
  const asked = new Set(terms.map(({ token }) => token))
  const said = tokensSaid(text.slice(0, 4 * MESSAGE_READ), asked)
  let found = 0
  let total = 0
  for (const { token, rarity } of terms) {
    total += rarity
    if (said.has(token)) found += rarity
  }
  return total === 0 ? 0 : found / total
}
