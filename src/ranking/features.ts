/**
 * What the learned ranker looks at: a few named numbers for each candidate, computed from its signals, its path and its
 * neighbours in the pool. Pure; the weights are in `weights.ts`, made by the training command in `bench/`.
 */

import type { Candidate, QueryTerm, QuestionKind } from '../core/types.js'
import { tokenise } from '../text/tokenise.js'
import { fileKinds } from './file-kinds.js'

export const FEATURES = [
  'text',
  'textRank',
  'symbol',
  'symbolRank',
  'vector',
  'vectorRank',
  'fileText',
  'fileTextRank',
  'fileVector',
  'fileVectorSecond',
  'pathCover',
  'stemCover',
  'stemReverse',
  'directoryCover',
  'nameCover',
  'nameReverse',
  'definition',
  'definitionFile',
  'test',
  'example',
  'compat',
  'documentation',
  'types',
  'barrel',
  'depth',
  'fileSize',
] as const

export type FeatureName = (typeof FEATURES)[number]

/** The part of a plan that the features read. */
export interface QuestionView {
  readonly kind: QuestionKind
  readonly terms: readonly QueryTerm[]
  readonly names: readonly string[]
}

/** One row of numbers for each candidate, in the order of `FEATURES`. */
export const featuresOf = (candidates: readonly Candidate[], question: QuestionView): Float64Array[] => {
  const similarity = standardSimilarities(candidates)
  const files = summariseFiles(candidates, similarity)
  const weights = new Map(question.terms.map(({ token, weight }) => [token, weight]))
  const totalWeight = sum(weights.values()) || 1
  const names = question.names.map(name => lastPart(name).toLowerCase())
  const paths = new Map<string, PathView>()

  return candidates.map((candidate, position) => {
    const { chunk, signals } = candidate
    const path = paths.get(chunk.path) ?? viewPath(chunk.path)
    paths.set(chunk.path, path)
    const file = files.get(chunk.path)!
    const symbolTokens = new Set(chunk.symbols.flatMap(symbol => tokenise(symbol.name)))
    const defines = chunk.symbols.some(symbol => names.includes(symbol.name.toLowerCase()))
    const values: Record<FeatureName, number> = {
      text: signals.strengths.text ?? 0,
      textRank: reciprocal(signals.ranks.text),
      symbol: signals.strengths.symbol ?? 0,
      symbolRank: reciprocal(signals.ranks.symbol),
      vector: similarity[position]!,
      vectorRank: reciprocal(signals.ranks.vector),
      fileText: file.text,
      fileTextRank: reciprocal(file.textRank),
      fileVector: file.best,
      fileVectorSecond: file.second,
      pathCover: cover(path.all, weights) / totalWeight,
      stemCover: cover(path.stem, weights) / totalWeight,
      stemReverse: share(path.stem, weights),
      directoryCover: cover(path.parent, weights) / totalWeight,
      nameCover: cover(symbolTokens, weights) / totalWeight,
      nameReverse: bestReverse(
        chunk.symbols.map(symbol => symbol.name),
        weights,
      ),
      definition: defines ? 1 : 0,
      definitionFile: defines && names.includes(path.bareStem) ? 1 : 0,
      ...path.kinds,
      depth: Math.min(path.depth, 8) / 8,
      fileSize: Math.log2(1 + chunk.siblings) / 8,
    }
    return Float64Array.from(FEATURES, name => values[name])
  })
}

interface PathView {
  readonly all: ReadonlySet<string>
  readonly stem: ReadonlySet<string>
  readonly parent: ReadonlySet<string>
  readonly bareStem: string
  readonly depth: number
  readonly kinds: ReturnType<typeof fileKinds>
}

const viewPath = (path: string): PathView => {
  const parts = path.split('/')
  const base = parts.at(-1)!
  const bareStem = base.replace(/\.[^.]*$/, '')
  return {
    all: new Set(tokenise(path)),
    stem: new Set(tokenise(bareStem)),
    parent: new Set(tokenise(parts.at(-2) ?? '')),
    bareStem: bareStem.toLowerCase(),
    depth: parts.length - 1,
    kinds: fileKinds(path),
  }
}

interface FileView {
  /** Text strengths of the file's candidates added up, as a share of the best file. */
  readonly text: number
  readonly textRank: number
  /** Similarity of its best chunk and of its second. */
  readonly best: number
  readonly second: number
}

/** Several good chunks in one file speak for the file. */
const summariseFiles = (
  candidates: readonly Candidate[],
  similarity: readonly number[],
): Map<string, FileView> => {
  const texts = new Map<string, number[]>()
  const vectors = new Map<string, number[]>()
  candidates.forEach(({ chunk, signals }, position) => {
    append(texts, chunk.path, signals.strengths.text ?? 0)
    append(vectors, chunk.path, similarity[position]!)
  })
  const totals = [...texts].map(([path, strengths]) => ({ path, total: topSum(strengths, 4) }))
  totals.sort((a, b) => b.total - a.total)
  const most = totals[0]?.total || 1
  return new Map(
    totals.map(({ path, total }, position) => {
      const [best = 0, second = LOWEST_SIMILARITY] = vectors.get(path)!.sort((a, b) => b - a)
      return [path, { text: total / most, textRank: position + 1, best, second }]
    }),
  )
}

const LOWEST_SIMILARITY = -2

/**
 * Cosines in units of standard deviations over the pool, so that embedders with different ranges can stand side by side: a
 * chunk that has no vector of the best embedder yet is judged by the next.
 */
const standardSimilarities = (candidates: readonly Candidate[]): number[] => {
  const embedders = new Set(candidates.flatMap(({ signals }) => Object.keys(signals.cosines)))
  const views = [...embedders].map(embedder => {
    const values = candidates.flatMap(({ signals }) => signals.cosines[embedder] ?? [])
    const mean = sum(values) / values.length
    const deviation = Math.sqrt(sum(values.map(value => (value - mean) ** 2)) / values.length) || 1
    return { embedder, mean, deviation, count: values.length }
  })
  return candidates.map(({ signals }) => {
    for (const { embedder, mean, deviation } of views) {
      const cosine = signals.cosines[embedder]
      if (cosine !== undefined) return clamp((cosine - mean) / deviation, LOWEST_SIMILARITY, 4) / 2
    }
    return 0
  })
}

const cover = (tokens: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number => {
  let covered = 0
  for (const token of tokens) covered += weights.get(token) ?? 0
  return covered
}

/** Share of the tokens that the question says. */
const share = (tokens: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number => {
  let said = 0
  for (const token of tokens) if (weights.has(token)) said++
  return tokens.size === 0 ? 0 : said / tokens.size
}

const bestReverse = (names: readonly string[], weights: ReadonlyMap<string, number>): number =>
  names.reduce((best, name) => Math.max(best, share(new Set(tokenise(name)), weights)), 0)

const lastPart = (name: string): string => name.split(/::|\.|->|#/).at(-1)!
const reciprocal = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / rank)
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}
const topSum = (values: readonly number[], count: number): number =>
  sum([...values].sort((a, b) => b - a).slice(0, count))
const append = (map: Map<string, number[]>, key: string, value: number): void => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
