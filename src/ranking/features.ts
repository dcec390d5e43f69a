/**
 * What the learned ranker looks at: a few named numbers for each candidate, computed from its signals, its path and its
 * neighbours in the pool. Pure; the weights are in `weights.ts`, made by the training command in `bench/`.
 */

import type { Candidate, QuestionKind, WeighedTerm } from '../core/questions.js'
import type { CodeSymbol } from '../core/types.js'
import { remembering } from '../text/remembering.js'
import { tokenise } from '../text/tokenise.js'
import { newestVersion, viewPaths } from './path-views.js'

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
  'fileVectorMean',
  'pathCover',
  'stemCover',
  'stemReverse',
  'directoryCover',
  'nameCover',
  'nameReverse',
  'cover',
  'fileCover',
  'coverAlone',
  'stemRare',
  'definition',
  'definitionFile',
  'test',
  'example',
  'compat',
  'documentation',
  'types',
  'barrel',
  'platform',
  'olderVersion',
  'depth',
  'fileSize',
] as const

export type FeatureName = (typeof FEATURES)[number]

/** The part of a plan that the features read. */
export interface QuestionView {
  readonly kind: QuestionKind
  readonly terms: readonly WeighedTerm[]
  /** The same with those of its rewrites: a file or a function may be named by a word that only a rewrite says. */
  readonly reworded?: readonly WeighedTerm[]
  readonly names: readonly string[]
}

/** One row of numbers for each candidate, in the order of `FEATURES`. */
export const featuresOf = (candidates: readonly Candidate[], question: QuestionView): Float64Array[] => {
  const similarity = standardSimilarities(candidates)
  const files = summariseFiles(candidates, similarity)
  const weights = new Map(
    (question.reworded ?? question.terms).map(({ token, weight, rarity }) => [token, weight * rarity]),
  )
  const totalWeight = sum(weights.values()) || 1
  const names = question.names.map(partsOfName)
  const paths = viewPaths(candidates.map(({ chunk }) => chunk.path))
  const coverage = coverageOf(candidates, question.terms)
  const alone = shareOfMost(coverage.files)
  const newest = newestVersion(paths)

  return candidates.map((candidate, position) => {
    const { chunk, signals } = candidate
    const path = paths.get(chunk.path)!
    const file = files.get(chunk.path)!
    const nameTokens = chunk.symbols.map(symbol => nameTokensOf(symbol.name))
    const defines = Math.max(0, ...chunk.symbols.map(symbol => likenessOfName(symbol, names)))
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
      fileVectorMean: file.mean,
      pathCover: cover(path.all, weights) / totalWeight,
      stemCover: cover(path.stem, weights) / totalWeight,
      stemReverse: share(path.stem, weights),
      directoryCover: cover(path.parent, weights) / totalWeight,
      nameCover: cover(union(nameTokens), weights) / totalWeight,
      nameReverse: nameTokens.reduce((best, tokens) => Math.max(best, share(tokens, weights)), 0),
      cover: coverage.chunks[position]!,
      fileCover: coverage.files.get(chunk.path)!,
      coverAlone: alone.get(chunk.path) ?? 0,
      stemRare: path.rareShare(weights),
      definition: defines,
      definitionFile: defines > 0 && names.some(parts => parts.at(-1) === path.bareStem) ? 1 : 0,
      test: path.kinds.test,
      example: path.kinds.example,
      compat: path.kinds.compat,
      documentation: path.kinds.documentation,
      types: path.kinds.types,
      barrel: path.kinds.barrel,
      platform: path.kinds.platform * (weights.has(path.platformToken) ? 0 : 1),
      olderVersion: path.version !== null && path.version < newest ? 1 : 0,
      depth: Math.min(path.depth, 8) / 8,
      fileSize: Math.log2(1 + chunk.siblings) / 8,
    }
    const row = new Float64Array(FEATURES.length)
    for (let feature = 0; feature < FEATURES.length; feature++) row[feature] = values[FEATURES[feature]!]
    return row
  })
}

const nameTokensOf = remembering(20_000, (name): ReadonlySet<string> => new Set(tokenise(name)))

/** `HTTPAdapter.send` is the send of HTTPAdapter; that of another class is only half of what was asked for. */
const likenessOfName = (symbol: CodeSymbol, names: readonly (readonly string[])[]): number => {
  const name = symbol.name.toLowerCase()
  const path = `.${symbol.qualifiedName.toLowerCase()}`
  let most = 0
  for (const parts of names) {
    if (parts.at(-1) !== name) continue
    if (parts.length === 1 || path.endsWith(`.${parts.join('.')}`)) return 1
    most = 0.5
  }
  return most
}

const partsOfName = (name: string): readonly string[] => name.toLowerCase().split(/::|\.|->|#/)

/**
 * Share of the question's weight that a chunk, and its file as far as it is in the pool, really says. Looked up as parts of
 * words in the text itself: tokens of a hundred chunks would cost more than all other features.
 */
const coverageOf = (
  candidates: readonly Candidate[],
  terms: readonly WeighedTerm[],
): { chunks: number[]; files: Map<string, number> } => {
  const asked = terms
    .slice(0, MOST_COVERED)
    .map(({ token, weight, rarity }) => ({ token, weight: weight * rarity }))
  const total = sum(asked.map(({ weight }) => weight)) || 1
  const found = candidates.map(({ chunk }) => {
    const text = `${chunk.path}\n${chunk.text}`.toLowerCase()
    return asked.map(({ token }) => text.includes(token))
  })
  const inFile = new Map<string, boolean[]>()
  candidates.forEach(({ chunk }, position) => {
    const before = inFile.get(chunk.path)
    inFile.set(
      chunk.path,
      before ? before.map((seen, term) => seen || found[position]![term]!) : [...found[position]!],
    )
  })
  const share = (seen: readonly boolean[]) => {
    let said = 0
    for (let term = 0; term < asked.length; term++) if (seen[term]) said += asked[term]!.weight
    return said / total
  }
  return { chunks: found.map(share), files: new Map([...inFile].map(([path, seen]) => [path, share(seen)])) }
}

/** Of the files that say most of the question: one that is alone in this is very likely meant, one of many is not. */
const shareOfMost = (files: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const most = Math.max(...files.values())
  const best = [...files].filter(([, covered]) => covered > 0 && covered >= most - 1e-9)
  return new Map(best.map(([path]) => [path, 1 / best.length]))
}

const MOST_COVERED = 16

interface FileView {
  /** Text strengths of the file's candidates added up, as a share of the best file. */
  readonly text: number
  readonly textRank: number
  /** Similarity of its best chunk and of its second. */
  readonly best: number
  readonly second: number
  /** Of its three best. */
  readonly mean: number
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
      const [best = 0, second = LOWEST_SIMILARITY, third = LOWEST_SIMILARITY] = vectors
        .get(path)!
        .sort((a, b) => b - a)
      return [
        path,
        { text: total / most, textRank: position + 1, best, second, mean: (best + second + third) / 3 },
      ]
    }),
  )
}

const LOWEST_SIMILARITY = -2

/**
 * Cosines in units of standard deviations over the pool, so that embedders with different ranges can stand side by side: the
 * mean over those that know the chunk. While vectors fill in, the others speak alone.
 */
const standardSimilarities = (candidates: readonly Candidate[]): number[] => {
  const embedders = new Set(candidates.flatMap(({ signals }) => Object.keys(signals.cosines)))
  const totals = candidates.map(() => ({ sum: 0, count: 0 }))
  for (const embedder of embedders) {
    const values = candidates.flatMap(({ signals }) => signals.cosines[embedder] ?? [])
    const mean = sum(values) / values.length
    const deviation = Math.sqrt(sum(values.map(value => (value - mean) ** 2)) / values.length) || 1
    candidates.forEach(({ signals }, position) => {
      const cosine = signals.cosines[embedder]
      if (cosine === undefined) return
      totals[position]!.sum += clamp((cosine - mean) / deviation, LOWEST_SIMILARITY, 4) / 2
      totals[position]!.count++
    })
  }
  return totals.map(({ sum: total, count }) => (count === 0 ? 0 : total / count))
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

const union = (sets: readonly ReadonlySet<string>[]): ReadonlySet<string> => {
  if (sets.length === 1) return sets[0]!
  const all = new Set<string>()
  for (const set of sets) for (const item of set) all.add(item)
  return all
}

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
