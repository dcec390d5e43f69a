/** The text lane: BM25F over the posting lists of the question's terms, the lists that can add most first. */

import type { FieldWeights } from '../../../core/ports.js'
import type { QueryTerm, Ranked } from '../../../core/types.js'
import { keepBest, wholeLimit } from './best.js'
import type { LengthNorms } from './length-norms.js'
import { frequencyOf, type PostingList, type Postings } from './postings.js'

/** Of 0.8 to 2.5 the best on the code-search set, and .010 nDCG@10 better than bm25() of FTS5 with its fixed 1.2. */
const K1 = 1.6
const MOST_TERMS = 64
/**
 * Postings read for a question without a filter. Lists come in the order of what they can add to a score, so that the long
 * tail of common words is what is left out: docs/decisions/0001 has the measurements.
 */
const POSTINGS_BUDGET = 60_000

/** A list in the light of a question. */
interface WeighedList {
  readonly list: PostingList
  /** Weight of the term times its rarity. */
  readonly weight: number
  /** What a chunk of average length gains from being in this list. */
  readonly gain: number
}

export interface MatchRequest {
  readonly terms: readonly QueryTerm[]
  readonly fields: FieldWeights
  readonly limit: number
  /** By chunk id, 1 for those that may be found; null allows all. */
  readonly allowed: Uint8Array | null
}

export const matchTerms = (postings: Postings, norms: LengthNorms, request: MatchRequest): Ranked[] => {
  const { terms, fields, allowed } = request
  const limit = wholeLimit(request.limit)
  if (limit === 0 || norms.chunks === 0) return []
  const weighed = heaviestTerms(terms).flatMap(term =>
    weighLists(postings.listsOf(term.token), term, fields, norms.chunks),
  )
  weighed.sort((one, other) => other.gain - one.gain || one.list.length - other.list.length)
  const scores = new Float64Array(norms.size)
  const touched: number[] = []
  let read = 0
  for (const { list, weight } of weighed) {
    if (allowed === null && read >= POSTINGS_BUDGET && touched.length >= limit) break
    read += list.length
    addScores(postings.read(list), list, weight, request, norms, scores, touched)
  }
  const best = keepBest(limit)
  let floor = Number.NEGATIVE_INFINITY
  for (const id of touched) if (scores[id]! >= floor) floor = best.offer(id, scores[id]!)
  return best.sorted()
}

/** The same token twice counts with both weights. */
const heaviestTerms = (terms: readonly QueryTerm[]): QueryTerm[] => {
  const weights = new Map<string, number>()
  for (const { token, weight } of terms) {
    if (token !== '' && weight > 0 && Number.isFinite(weight))
      weights.set(token, (weights.get(token) ?? 0) + weight)
  }
  return [...weights]
    .map(([token, weight]) => ({ token, weight }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_TERMS)
}

const weighLists = (
  lists: readonly PostingList[],
  term: QueryTerm,
  fields: FieldWeights,
  chunks: number,
): WeighedList[] => {
  const weight = term.weight * rarity(frequencyOf(lists), chunks)
  return lists.flatMap(list => {
    const { body, header, path, symbols } = list.counts
    const mass = fields.body * body + fields.header * header + fields.path * path + fields.symbols * symbols
    return mass > 0 ? [{ list, weight, gain: weight * saturate(mass) }] : []
  })
}

/** Positive for every frequency, unlike the textbook form, which turns against words in more than half of the chunks. */
const rarity = (frequency: number, chunks: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))

const saturate = (mass: number): number => (mass * (K1 + 1)) / (mass + K1)

const addScores = (
  ids: Uint32Array,
  { counts }: PostingList,
  weight: number,
  { fields, allowed }: MatchRequest,
  norms: LengthNorms,
  scores: Float64Array,
  touched: number[],
): void => {
  const body = fields.body * counts.body
  const header = fields.header * counts.header
  const path = fields.path * counts.path
  const symbols = fields.symbols * counts.symbols
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!
    if (allowed !== null && allowed[id] !== 1) continue
    const mass =
      body * norms.body[id]! +
      header * norms.header[id]! +
      path * norms.path[id]! +
      symbols * norms.symbols[id]!
    // Not a number for a row that has no chunk, which only a damaged index has.
    if (!(mass > 0)) continue
    if (scores[id] === 0) touched.push(id)
    scores[id]! += weight * saturate(mass)
  }
}
