/**
 * What the ranker of notes looks at: a few named numbers for each candidate, of itself, of the turns beside it and of the notes it
 * stands in. Pure; the weights are in `turn-weights.ts`, made by `npm run bench -- notes --train`.
 */

import type { Candidate, HeardTurn, Period } from '../core/questions.js'
import { asksWhen, type NamedDates, namedDates, saysWhen } from '../text/date-words.js'

export const TURN_FEATURES = [
  ...(['text', 'textRank', 'cover', 'coverNear', 'vector', 'vectorRank'] as const),
  ...(['vectorBefore', 'vectorAfter', 'vectorAnswer', 'quick', 'quickRank'] as const),
  ...(['quickBefore', 'quickAfter', 'quickAnswer', 'textBefore', 'textAfter'] as const),
  ...(['sessionText', 'sessionVector', 'sessionQuick', 'speaker', 'isQuestion', 'length'] as const),
  ...(['month', 'day', 'period', 'saysWhen', 'coverEarlier', 'vectorEarlier'] as const),
  ...(['coverBefore', 'coverAfter', 'coverAround'] as const),
] as const
export type TurnFeature = (typeof TURN_FEATURES)[number]

/** The part of a plan that is looked at. */
export interface TurnQuestion {
  readonly question: string
  readonly period?: Period
  /** The speakers that the question names. */
  readonly speakers: readonly string[]
  /** Its other words that say something, each with how rare it is. */
  readonly contentWords: readonly string[]
  readonly contentRarities: readonly number[]
}

/** One row of numbers for each candidate, in the order of `TURN_FEATURES`. */
export const turnFeatures = (candidates: readonly Candidate[], question: TurnQuestion): Float64Array[] => {
  const measured = candidates.map(candidate => ({
    candidate,
    own: candidate.surroundings?.own ?? {
      text: candidate.chunk.text,
      signals: candidate.signals,
      likeness: [],
    },
    before: candidate.surroundings?.before ?? null,
    after: candidate.surroundings?.after ?? null,
    earlier: candidate.surroundings?.earlier ?? null,
  }))
  const turns: HeardTurn[] = []
  for (const { own, before, after } of measured) {
    turns.push(own)
    if (before !== null) turns.push(before)
    if (after !== null) turns.push(after)
  }
  const deep = standards(turns, embedder => !embedder.startsWith('static'))
  const quick = standards(turns, embedder => embedder.startsWith('static'))
  const vectorOf = deep.isThere ? deep.of : quick.of
  const vectorRanks = ranksOf(measured.map(({ own }) => vectorOf(own)))
  const quickRanks = ranksOf(measured.map(({ own }) => quick.of(own)))
  const sessions = summarise(measured, ({ own }) => [textOf(own), vectorOf(own), quick.of(own)])
  const dates = namedDates(question.question)
  const isWhen = asksWhen(question.question)
  const cover = coverBy(question.contentRarities)

  return measured.map(({ candidate, own, before, after, earlier }, position) => {
    const { chunk, signals } = candidate
    const [sessionText, sessionVector, sessionQuick] = sessions.get(chunk.document)!
    const isAnswer = before !== null && endsAsQuestion(before.text)
    const values: Record<TurnFeature, number> = {
      text: textOf(own),
      textRank: nearness(signals.ranks.text),
      cover: cover(own.likeness),
      coverNear: cover(own.likeness, before?.likeness, 0.7, after?.likeness, 0.5),
      vector: vectorOf(own),
      vectorRank: nearness(vectorRanks[position]),
      vectorBefore: before ? vectorOf(before) : 0,
      vectorAfter: after ? vectorOf(after) : 0,
      vectorAnswer: isAnswer ? vectorOf(before) : 0,
      quick: quick.of(own),
      quickRank: nearness(quickRanks[position]),
      quickBefore: before ? quick.of(before) : 0,
      quickAfter: after ? quick.of(after) : 0,
      quickAnswer: isAnswer ? quick.of(before) : 0,
      textBefore: before ? textOf(before) : 0,
      textAfter: after ? textOf(after) : 0,
      sessionText: sessionText!,
      sessionVector: sessionVector!,
      sessionQuick: sessionQuick!,
      speaker: speakerMatch(candidate, question.speakers),
      isQuestion: endsAsQuestion(own.text) ? 1 : 0,
      length: Math.log1p(own.text.length / 50),
      month: monthMatch(chunk.time, dates),
      day: dayMatch(chunk.time, dates),
      period: question.period && isWithin(chunk.time, question.period) ? 1 : 0,
      saysWhen: isWhen && saysWhen(own.text) ? 1 : 0,
      coverEarlier: earlier ? cover(earlier.likeness) : 0,
      vectorEarlier: earlier ? vectorOf(earlier) : 0,
      coverBefore: before ? cover(before.likeness) : 0,
      coverAfter: after ? cover(after.likeness) : 0,
      coverAround: cover(own.likeness, before?.likeness, 1, after?.likeness, 1, earlier?.likeness),
    }
    const row = new Float64Array(TURN_FEATURES.length)
    for (let column = 0; column < row.length; column++) row[column] = values[TURN_FEATURES[column]!]
    return row
  })
}

const textOf = ({ signals }: HeardTurn): number => signals.strengths.text ?? 0
const endsAsQuestion = (text: string): boolean => text.trimEnd().endsWith('?')
/** 1 for the first, half of it for the tenth. */
const nearness = (rank: number | undefined): number => (rank === undefined ? 0 : 10 / (9 + rank))

/** Cosines of different models have different ranges: each becomes a standard score over all turns that were heard. */
const standards = (turns: readonly HeardTurn[], isMeant: (embedder: string) => boolean) => {
  const embedders = new Set<string>()
  for (const { signals } of turns) for (const embedder in signals.cosines) embedders.add(embedder)
  const scales = [...embedders].filter(isMeant).map(embedder => scaleOf(turns, embedder))
  const compute = ({ signals }: HeardTurn): number => {
    let sum = 0
    let count = 0
    for (const { embedder, mean, deviation } of scales) {
      const cosine = signals.cosines[embedder]
      if (cosine === undefined) continue
      sum += (cosine - mean) / deviation
      count++
    }
    return count === 0 ? 0 : sum / count
  }
  // A turn is looked at as itself, as its neighbours' neighbour and as one of its session.
  const known = new Map<HeardTurn, number>()
  const of = (turn: HeardTurn): number => {
    const found = known.get(turn)
    if (found !== undefined) return found
    const value = compute(turn)
    known.set(turn, value)
    return value
  }
  return { of, isThere: scales.length > 0 }
}

const scaleOf = (turns: readonly HeardTurn[], embedder: string) => {
  const values: number[] = []
  for (const { signals } of turns) {
    const cosine = signals.cosines[embedder]
    if (cosine !== undefined) values.push(cosine)
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length || 1)
  return { embedder, mean, deviation: Math.sqrt(variance) || 1 }
}

const ranksOf = (values: readonly number[]): readonly number[] => {
  const order = values.map((_, position) => position).sort((a, b) => values[b]! - values[a]!)
  const ranks = new Array<number>(values.length)
  for (const [rank, position] of order.entries()) ranks[position] = rank + 1
  return ranks
}

/** Of each document the mean of its three best, for each of several numbers: one lucky word does not make a conversation. */
const summarise = <Item extends { readonly candidate: Candidate }>(
  items: readonly Item[],
  numbersOf: (item: Item) => readonly number[],
): ReadonlyMap<string, readonly number[]> => {
  const byDocument = new Map<string, (readonly number[])[]>()
  for (const item of items) {
    const { document } = item.candidate.chunk
    const rows = byDocument.get(document)
    if (rows === undefined) byDocument.set(document, [numbersOf(item)])
    else rows.push(numbersOf(item))
  }
  const bestOf = (rows: readonly (readonly number[])[]) =>
    rows[0]!.map((_, column) => {
      const best = rows
        .map(row => row[column]!)
        .sort((a, b) => b - a)
        .slice(0, 3)
      return best.reduce((sum, value) => sum + value, 0) / best.length
    })
  return new Map([...byDocument].map(([document, rows]) => [document, bestOf(rows)]))
}

/**
 * The share of the question's words that a turn holds, the rare ones counting more. What the turns beside it say counts too, so
 * much of it as is given.
 */
const coverBy = (rarities: readonly number[]) => {
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1
  return (
    own: ArrayLike<number>,
    before: ArrayLike<number> = NOTHING,
    ofBefore = 0,
    after: ArrayLike<number> = NOTHING,
    ofAfter = 0,
    earlier: ArrayLike<number> = NOTHING,
  ): number => {
    let sum = 0
    for (let word = 0; word < own.length; word++) {
      let most = own[word]!
      if (word < before.length) most = Math.max(most, ofBefore * before[word]!)
      if (word < after.length) most = Math.max(most, ofAfter * after[word]!)
      if (word < earlier.length) most = Math.max(most, earlier[word]!)
      sum += most * (rarities[word] ?? 0)
    }
    return sum / total
  }
}

const NOTHING: ArrayLike<number> = []

/** A question that names one speaker is about what that one said, more often than not. */
const speakerMatch = ({ chunk }: Candidate, speakers: readonly string[]): number => {
  const speaker = chunk.symbols.find(({ kind }) => kind === 'speaker')?.name
  if (speaker === undefined || speakers.length !== 1) return 0.5
  return speaker === speakers[0] ? 1 : 0
}

const monthMatch = (time: number, { months, years }: NamedDates): number => {
  if (months.length === 0) return 0
  const date = new Date(time)
  const isYear = years.length === 0 || years.includes(date.getUTCFullYear())
  return isYear && months.includes(date.getUTCMonth()) ? 1 : 0
}

/** What happened on a day is told on that day or soon after. */
const dayMatch = (time: number, dates: NamedDates): number => {
  if (dates.days.length === 0 || monthMatch(time, dates) === 0) return 0
  const day = new Date(time).getUTCDate()
  return Math.max(...dates.days.map(named => (day < named ? 0 : Math.exp(-(day - named) / 3))))
}

const isWithin = (time: number, { since, until }: Period): boolean =>
  (since === undefined || time >= since) && (until === undefined || time <= until)
