/** Learned priors: a linear score over the named features, squashed into (0, 1). Weights by kind of question. */

import type { Candidate, QuestionKind } from '../core/questions.js'
import { isProse } from '../text/language.js'
import { tokenise } from '../text/tokenise.js'
import { chooseChunks } from './choose-chunk.js'
import { FEATURES, featuresOf, type QuestionView } from './features.js'
import { WEIGHTS, type WeightTable } from './weights.js'
import { withLine } from './with-line.js'

/** What each further chunk of a file keeps of its score: the first names the file, the next ones add little. */
const FURTHER_CHUNK = 0.5

export const applyPriors = (
  candidates: readonly Candidate[],
  question: QuestionView,
  table: WeightTable = WEIGHTS,
): readonly Candidate[] => {
  const stage = candidates.some(({ signals }) => Object.keys(signals.cosines).some(isDeep)) ? 'full' : 'first'
  const kind = kindOf(question, candidates)
  const named = table[stage][kind]
  const weights = FEATURES.map(name => named[name])
  // Of snippets a path says nothing, and the names are what the rewrites are about.
  const rows = featuresOf(candidates, kind === 'snippet' ? withoutRewrites(question) : question)
  const weighed = candidates.map((candidate, position) => {
    const row = rows[position]!
    let total = 0
    for (let feature = 0; feature < row.length; feature++) total += row[feature]! * weights[feature]!
    const why = () => explain(row.map((value, feature) => value * weights[feature]!))
    return { row, candidate: withLine(candidate, 'priors', squash(total), why) }
  })
  // Who asks for a name wants its definition, whatever else speaks of it.
  const scored = kind === 'symbol' ? weighed.map(({ candidate }) => candidate) : chooseChunks(weighed)
  return discountFurtherChunks([...scored].sort((a, b) => b.score - a.score))
}

const withoutRewrites = ({ kind, terms, names }: QuestionView): QuestionView => ({ kind, terms, names })

/** What is searched makes part of the question: where paths are mere numbers, only the text itself can tell. */
export const kindOf = (question: QuestionView, candidates: readonly Candidate[]): QuestionKind => {
  const share = (test: (candidate: Candidate) => boolean) =>
    candidates.filter(test).length / candidates.length
  if (share(({ chunk }) => isProse(chunk.language)) > 0.5) return 'prose'
  if (question.kind !== 'question' || share(({ chunk }) => chunk.siblings === 1) < 0.8) return question.kind
  const asked = new Set(question.terms.map(({ token }) => token).filter(token => /\p{L}/u.test(token)))
  const says = ({ chunk }: Candidate) => tokenise(chunk.path).some(token => asked.has(token))
  return candidates.some(says) ? 'question' : 'snippet'
}

/** The static table answers in the first second; everything else is a transformer. */
const isDeep = (embedderId: string): boolean => !embedderId.startsWith('static')

const discountFurtherChunks = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const counts = new Map<string, number>()
  return candidates
    .map(candidate => {
      const before = counts.get(candidate.chunk.path) ?? 0
      counts.set(candidate.chunk.path, before + 1)
      if (before === 0) return candidate
      const score = candidate.score * FURTHER_CHUNK ** before
      return withLine(candidate, 'same file', score, () => `chunk ${before + 1} of this file`)
    })
    .sort((a, b) => b.score - a.score)
}

/** The five features that moved the score most. */
const explain = (contributions: Float64Array): string =>
  [...contributions]
    .map((part, feature) => ({ name: FEATURES[feature]!, part }))
    .filter(({ part }) => Math.abs(part) > 0.005)
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
    .slice(0, 5)
    .map(({ name, part }) => `${name} ${part > 0 ? '+' : '−'}${Math.abs(part).toFixed(2)}`)
    .join(', ')

const squash = (value: number): number => 1 / (1 + Math.exp(-value))
