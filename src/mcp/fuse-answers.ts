/** Several wordings of one question: their answers as one, by reciprocal ranks. What was asked first counts twice. */

import type { Answer, Hit } from '../core/types.js'

/** Cormack, Clarke and Büttcher 2009, as in the query path itself. */
const RRF_K = 60
const FIRST_WEIGHT = 2

export const fuseAnswers = (answers: readonly Answer[], limit: number, maxPerFile: number): Answer => {
  const [first] = answers
  if (first === undefined) throw new RangeError('no answer to fuse')
  if (answers.length === 1) return first
  const found = new Map<string, { readonly hit: Hit; score: number }>()
  for (const [position, { hits }] of answers.entries()) {
    const weight = position === 0 ? FIRST_WEIGHT : 1
    for (const [rank, hit] of hits.entries()) {
      const entry = found.get(hit.id) ?? { hit, score: 0 }
      entry.score += weight / (RRF_K + rank + 1)
      found.set(hit.id, entry)
    }
  }
  // Sorting is stable: of equals the one that the first wording found earlier stays in front.
  const ranked = [...found.values()].sort((a, b) => b.score - a.score)
  const understood = [...new Set(answers.flatMap(answer => answer.understood ?? []))]
  return {
    ...first,
    ...(understood.length > 0 && { understood }),
    hits: capped(ranked, maxPerFile)
      .slice(0, limit)
      .map(({ hit, score }) => ({ ...hit, score: Number(score.toFixed(6)) })),
    warnings: distinct(answers.flatMap(({ warnings }) => warnings)),
  }
}

/** Each list keeps to the cap by itself; together they need not. */
const capped = <Entry extends { readonly hit: Hit }>(entries: readonly Entry[], most: number): Entry[] => {
  if (most === 0) return [...entries]
  const seen = new Map<string, number>()
  return entries.filter(({ hit }) => {
    // A commit that changes no text has no path.
    if (hit.path === '') return true
    const count = (seen.get(hit.path) ?? 0) + 1
    seen.set(hit.path, count)
    return count <= most
  })
}

export const distinct = (warnings: Answer['warnings']): Answer['warnings'] => [
  ...new Map(warnings.map(warning => [`${warning.code} ${warning.message}`, warning])).values(),
]
