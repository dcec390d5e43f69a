/** The text lane: BM25F over the posting lists of the question's terms, the lists that can add most first. */

import type { TextScoring } from '../../../core/ports.js'
import type { QueryTerm, Ranked } from '../../../core/questions.js'
import type { FieldName } from '../../../core/types.js'
import { keepBest, wholeLimit } from './best.js'
import { type ChunkLengths, type FieldNorms, normsFor } from './length-norms.js'
import { frequencyOf, type PostingList, type Postings } from './postings.js'
import type { FieldCounts } from './words.js'

const MOST_TERMS = 64
/**
 * Postings read for a question without a filter. Lists come in the order of what they can add to a score, so that the long
 * tail of common words is what is left out: docs/decisions/0001 has the measurements.
 */
const POSTINGS_BUDGET = 60_000

/** What a list says in the eyes of one way of scoring: only the fields that count, mostly one or two of eight. */
interface Shape {
  readonly fields: readonly FieldName[]
  /** Of each of these fields, how much a chunk in the list says there. */
  readonly masses: readonly number[]
  readonly total: number
}

/** A list in the light of a question. */
interface WeighedList {
  readonly list: PostingList
  /** Weight of the term times its rarity. */
  readonly weight: number
  readonly shape: Shape
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
  const weighed = heaviestTerms(terms).flatMap(term =>
    weighLists(postings.listsOf(term.token), term, scoring, lengths.chunks),
  )
  weighed.sort((one, other) => other.gain - one.gain || one.list.length - other.list.length)
  const board = boardOf(lengths)
  try {
    let read = 0
    for (const { list, weight, shape } of weighed) {
      if (allowed === null && read >= POSTINGS_BUDGET && board.count >= limit) break
      read += list.length
      addScores(postings.read(list), weight, shape, { k1: scoring.k1, norms, allowed }, board)
    }
    return bestOf(board, limit)
  } finally {
    wipe(board)
  }
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
  scoring: TextScoring,
  chunks: number,
): WeighedList[] => {
  const weight = term.weight * rarity(frequencyOf(lists), chunks)
  const weighed: WeighedList[] = []
  for (const { list, shape, gain } of countingLists(lists, scoring))
    weighed.push({ list, weight, shape, gain: weight * gain })
  return weighed
}

interface CountingList {
  readonly list: PostingList
  readonly shape: Shape
  /** Before the weight of the term. */
  readonly gain: number
}

/** Words come again from question to question, and in both lanes; most of their lists count in neither. */
const counting = new WeakMap<TextScoring, WeakMap<readonly PostingList[], readonly CountingList[]>>()

const countingLists = (lists: readonly PostingList[], scoring: TextScoring): readonly CountingList[] => {
  const known = counting.get(scoring) ?? new WeakMap<readonly PostingList[], readonly CountingList[]>()
  counting.set(scoring, known)
  const found = known.get(lists)
  if (found !== undefined) return found
  const fresh: CountingList[] = []
  for (const list of lists) {
    const shape = shapeOf(list.counts, scoring)
    if (shape.total > 0) fresh.push({ list, shape, gain: saturate(shape.total, scoring.k1) })
  }
  known.set(lists, fresh)
  return fresh
}

/** A word has hundreds of lists and all words share their classes: each class is looked at once for each way of scoring. */
const shapes = new WeakMap<TextScoring, WeakMap<FieldCounts, Shape>>()

const shapeOf = (counts: FieldCounts, scoring: TextScoring): Shape => {
  let known = shapes.get(scoring)
  if (known === undefined) {
    known = new WeakMap()
    shapes.set(scoring, known)
  }
  const found = known.get(counts)
  if (found !== undefined) return found
  const masses = (Object.entries(scoring.weights) as [FieldName, number][])
    .map(([field, value]) => [field, value * counts[field]] as const)
    .filter(([, mass]) => mass > 0)
  const shape: Shape = {
    fields: masses.map(([field]) => field),
    masses: masses.map(([, mass]) => mass),
    total: masses.reduce((sum, [, mass]) => sum + mass, 0),
  }
  known.set(counts, shape)
  return shape
}

/** Positive for every frequency, unlike the textbook form, which turns against words in more than half of the chunks. */
const rarity = (frequency: number, chunks: number): number =>
  Math.log(1 + (Math.max(chunks, frequency) - frequency + 0.5) / (frequency + 0.5))

const saturate = (mass: number, k1: number): number => (mass * (k1 + 1)) / (mass + k1)

/** The scores of one question by chunk id, and which chunks have one. Blank between two questions. */
interface Board {
  readonly scores: Float64Array
  readonly touched: Uint32Array
  count: number
}

/** A question is scored without a pause, so one board serves all: a fresh one of a large index is a megabyte to clear away. */
const boards = new WeakMap<ChunkLengths, Board>()

const boardOf = (lengths: ChunkLengths): Board => {
  const known = boards.get(lengths)
  if (known !== undefined) return known
  const { size } = lengths
  const board = { scores: new Float64Array(size), touched: new Uint32Array(size), count: 0 }
  boards.set(lengths, board)
  return board
}

const wipe = (board: Board): void => {
  const { scores, touched, count } = board
  for (let at = 0; at < count; at++) scores[touched[at]!] = 0
  board.count = 0
}

const bestOf = ({ scores, touched, count }: Board, limit: number): Ranked[] => {
  const best = keepBest(limit)
  let floor = Number.NEGATIVE_INFINITY
  for (let at = 0; at < count; at++) {
    const id = touched[at]!
    const score = scores[id]!
    if (score >= floor) floor = best.offer(id, score)
  }
  return best.sorted()
}

interface Scale {
  readonly k1: number
  readonly norms: FieldNorms
  readonly allowed: Uint8Array | null
}

const addScores = (
  ids: Uint32Array,
  weight: number,
  { fields, masses }: Shape,
  { k1, norms, allowed }: Scale,
  board: Board,
): void => {
  const { scores, touched } = board
  const fieldNorms = fields.map(field => norms[field]!)
  const { classes, values } = fieldNorms[0]!
  const firstMass = masses[0]!
  let count = board.count
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at]!
    if (allowed !== null && allowed[id] !== 1) continue
    let mass = firstMass * values[classes[id]!]!
    for (let field = 1; field < masses.length; field++) {
      const norm = fieldNorms[field]!
      mass += masses[field]! * norm.values[norm.classes[id]!]!
    }
    // Not a number for a row that has no chunk, which only a damaged index has.
    if (!(mass > 0)) continue
    if (scores[id] === 0) touched[count++] = id
    scores[id]! += weight * saturate(mass, k1)
  }
  board.count = count
}
