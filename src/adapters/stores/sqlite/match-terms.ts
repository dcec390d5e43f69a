/** The text lane: BM25F over the posting lists of the question's terms, the lists that can add most first. */

import type { TextScoring } from '../../../core/ports.js'
import type { FieldName, QueryTerm, Ranked } from '../../../core/types.js'
import { keepBest, wholeLimit } from './best.js'
import { type ChunkLengths, type FieldNorms, normsFor } from './length-norms.js'
import { frequencyOf, type PostingList, type Postings } from './postings.js'

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
  /** The fields that count, and how much a chunk in this list says in each. */
  readonly masses: readonly (readonly [field: FieldName, mass: number])[]
  /** What a chunk of average length gains from being in this list. */
  readonly gain: number
}

export interface MatchRequest {
  readonly terms: readonly QueryTerm[]
  readonly scoring: TextScoring
  readonly limit: number
  /** By chunk id, 1 for those that may be found; null allows all. */
  readonly allowed: Uint8Array | null
}

export const matchTerms = (postings: Postings, lengths: ChunkLengths, request: MatchRequest): Ranked[] => {
  const { terms, scoring, allowed } = request
  const limit = wholeLimit(request.limit)
  if (limit === 0 || lengths.chunks === 0) return []
  const norms = normsFor(lengths, scoring)
  const board: Board = {
    ...{ k1: scoring.k1, norms, allowed },
    scores: new Float64Array(lengths.size),
    touched: [],
  }
  const weighed = heaviestTerms(terms).flatMap(term =>
    weighLists(postings.listsOf(term.token), term, scoring, lengths.chunks),
  )
  weighed.sort((one, other) => other.gain - one.gain || one.list.length - other.list.length)
  let read = 0
  for (const { list, weight, masses } of weighed) {
    if (allowed === null && read >= POSTINGS_BUDGET && board.touched.length >= limit) break
    read += list.length
    addScores(postings.read(list), weight, masses, board)
  }
  const best = keepBest(limit)
  let floor = Number.NEGATIVE_INFINITY
  for (const id of board.touched) {
    const score = board.scores[id]!
    if (score >= floor) floor = best.offer(id, score)
  }
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
  { weights, k1 }: TextScoring,
  chunks: number,
): WeighedList[] => {
  const weight = term.weight * rarity(frequencyOf(lists), chunks)
  const fields = Object.entries(weights) as [FieldName, number][]
  return lists.flatMap(list => {
    const masses = fields
      .map(([field, value]) => [field, value * list.counts[field]] as const)
      .filter(([, mass]) => mass > 0)
    if (masses.length === 0) return []
    const total = masses.reduce((sum, [, mass]) => sum + mass, 0)
    return [{ list, weight, masses, gain: weight * saturate(total, k1) }]
  })
}

/** Positive for every frequency, unlike the textbook form, which turns against words in more than half of the chunks. */
const rarity = (frequency: number, chunks: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))

const saturate = (mass: number, k1: number): number => (mass * (k1 + 1)) / (mass + k1)

interface Board {
  readonly k1: number
  readonly norms: FieldNorms
  readonly allowed: Uint8Array | null
  readonly scores: Float64Array
  readonly touched: number[]
}

/** Only the fields that this list says something of are looked at: mostly one or two of seven. */
const addScores = (
  ids: Uint32Array,
  weight: number,
  masses: WeighedList['masses'],
  { k1, norms, allowed, scores, touched }: Board,
): void => {
  const counted = masses.map(([field, mass]) => ({ mass, norm: norms[field]! }))
  const [only] = counted
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!
    if (allowed !== null && allowed[id] !== 1) continue
    let mass = 0
    if (counted.length === 1) mass = only!.mass * only!.norm[id]!
    else for (const field of counted) mass += field.mass * field.norm[id]!
    // Not a number for a row that has no chunk, which only a damaged index has.
    if (!(mass > 0)) continue
    if (scores[id] === 0) touched.push(id)
    scores[id]! += weight * saturate(mass, k1)
  }
}
