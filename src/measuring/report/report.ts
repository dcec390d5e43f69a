/** What was measured, as data: from here it becomes a table, lines of JSON and a picture. */

import { type Difference, pairedBootstrap } from '../metrics/bootstrap.js'
import { type Group, groupScores, meanScores, type ScoredQuery } from '../metrics/groups.js'
import type { LabelledSet, LeftOut } from '../sets/shape.js'
import type { Machine } from './machine.js'

export interface AskedQuestion extends ScoredQuery {
  /** Without the time that an expander took. */
  readonly milliseconds: number
  readonly expanderMilliseconds: number
}

export interface RowReport {
  readonly name: string
  /** What differs from the defaults, by dotted key. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly n: number
  readonly metrics: Readonly<Record<string, number>>
  /** To the first row, by metric; absent in the first row. */
  readonly differences?: Readonly<Record<string, Difference>>
  readonly latency: { readonly p50: number; readonly p95: number; readonly expanderP50: number }
  readonly byCategory: readonly Group[]
  readonly questions: readonly AskedQuestion[]
  readonly remarks: readonly string[]
}

export interface SetReport {
  readonly name: string
  readonly layout: LabelledSet['layout']
  readonly hash: string
  /** SHA-256 of recorded rewrites, where there were any. */
  readonly rewritesHash?: string
  /** How many questions the data has; rows say how many were asked. */
  readonly available: number
  readonly indexSeconds: number
  readonly rows: readonly RowReport[]
  readonly leftOut: readonly LeftOut[]
  readonly remarks: readonly string[]
}

export interface BenchReport {
  readonly command: string
  readonly version: string
  /** ISO 8601. */
  readonly date: string
  readonly machine: Machine
  readonly sets: readonly SetReport[]
}

/** What a set is judged by, best known first. */
const MAIN_METRICS = [
  'nDCG@10',
  'R@10',
  'MRR@10',
  'MRR',
  'Hit@10',
  'Acc@1',
  'points by file',
  'points by slot',
]

/** Those of them that the rows have. */
export const mainMetrics = ({ rows }: Pick<SetReport, 'rows'>): readonly string[] =>
  MAIN_METRICS.filter(metric => rows.some(({ metrics }) => metrics[metric] !== undefined))

/** The most that one question can get: points have a scale of their own. */
export const mostOf = (metric: string): number => (metric.startsWith('points') ? 3 : 1)

export const rowReport = (
  row: Pick<RowReport, 'name' | 'settings' | 'questions' | 'remarks'>,
  first: readonly AskedQuestion[] | null,
): RowReport => {
  const { questions } = row
  const quantile = (values: readonly number[], share: number): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
  const times = questions.map(({ milliseconds }) => milliseconds)
  return {
    ...row,
    n: questions.length,
    metrics: meanScores(questions),
    ...(first && { differences: differencesOf(first, questions) }),
    latency: {
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      expanderP50: quantile(
        questions.map(({ expanderMilliseconds }) => expanderMilliseconds),
        0.5,
      ),
    },
    byCategory: groupScores(questions, 'category'),
  }
}

/** Fewer repositories than this say nothing about repositories: then questions are drawn. */
const ENOUGH_REPOSITORIES = 5

const differencesOf = (
  before: readonly AskedQuestion[],
  after: readonly AskedQuestion[],
): Record<string, Difference> => {
  const known = new Map(before.map(question => [question.id, question]))
  const differences: Record<string, Difference> = {}
  for (const metric of MAIN_METRICS) {
    const pairs = after.flatMap(({ id, scores, repository }) => {
      const [was, is] = [known.get(id)?.scores[metric], scores[metric]]
      return was === undefined || is === undefined ? [] : [{ before: was, after: is, repository }]
    })
    if (pairs.length === 0) continue
    const repositories = new Set(pairs.map(({ repository }) => repository)).size
    // With a repository for each question both are the same.
    const unit = repositories >= ENOUGH_REPOSITORIES ? 'repository' : 'query'
    differences[metric] = pairedBootstrap(pairs, { unit })
  }
  return differences
}
