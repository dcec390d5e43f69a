/** Asks the questions of one corpus with the settings of one row, through the public API as a user would, and scores the answers. */

import type { Answer, Hit } from '../../core/answers.js'
import {
  scoreChange,
  scoreCodeSearch,
  scoreCodescout,
  scoreCommits,
  scoreDocuments,
  scoreIssue,
  scoreTurns,
} from '../../measuring/metrics/score-query.js'
import type { AskedQuestion } from '../../measuring/report/report.js'
import type { BenchQuery, LabelledCorpus, Layout } from '../../measuring/sets/shape.js'
import type { Quarry } from '../api.js'

export interface AskOptions {
  readonly layout: Layout
  readonly depth: number | undefined
  /** So many questions are asked beforehand, and do not count. */
  readonly warmUp: number
  /** What the first row found, by question: it is filled there, and what others are held against where there are no labels. */
  readonly firstFound: Map<string, readonly Hit[]>
  readonly onQuestion: (done: number) => void
  readonly onWarning: (message: string) => void
  readonly signal?: AbortSignal
}

interface Measure {
  readonly command: 'search' | 'recall' | 'find'
  /** So many hits are asked for where nobody says otherwise: as many as the scores look at. */
  readonly depth: number
  score(
    corpus: LabelledCorpus,
    query: BenchQuery,
    hits: readonly Hit[],
    first: readonly Hit[],
  ): Record<string, number>
}

const MEASURES: Readonly<Record<Layout, Measure>> = {
  documents: { command: 'search', depth: 100, score: scoreDocuments },
  code: { command: 'search', depth: 10, score: scoreCodeSearch },
  conversations: {
    command: 'recall',
    depth: 100,
    score: (_, query, hits) => scoreTurns(query, hits.map(asTurn)),
  },
  files: { command: 'search', depth: 100, score: scoreIssue },
  commits: { command: 'find', depth: 50, score: (_, query, hits) => scoreCommits(query, hits) },
  points: { command: 'search', depth: 100, score: scoreCodescout },
  unlabelled: {
    command: 'search',
    depth: 10,
    score: (_corpus, _query, hits, first) => scoreChange(first, hits),
  },
}

export const askCorpus = async (
  quarry: Quarry,
  corpus: LabelledCorpus,
  { layout, depth, warmUp, firstFound, onQuestion, onWarning, signal }: AskOptions,
): Promise<readonly AskedQuestion[]> => {
  const measure = MEASURES[layout]
  const limit = depth ?? measure.depth
  const ask = ({ text, now }: BenchQuery): Promise<Answer> => {
    const request = { limit, refresh: 'never', ...(signal && { signal }) } as const
    return measure.command === 'recall'
      ? quarry.recall(text, { ...request, ...(now !== undefined && { now }) })
      : quarry[measure.command](text, request)
  }
  const asked: AskedQuestion[] = []
  // Models have to be loaded and code to become quick: that is not what a question costs, and the first row must not pay it for all.
  for (const query of corpus.queries.slice(0, warmUp)) await ask(query)
  for (const query of corpus.queries) {
    signal?.throwIfAborted()
    const started = performance.now()
    const { hits, expansion, warnings } = await ask(query)
    const elapsed = performance.now() - started
    const expanderMilliseconds = expansion?.milliseconds ?? 0
    for (const { message } of warnings) onWarning(message)
    const { id, category } = query
    const first = firstFound.get(id) ?? hits
    if (layout === 'unlabelled') firstFound.set(id, first)
    asked.push({
      ...{ id, category, language: corpus.language, repository: corpus.repository },
      scores: withinDepth(measure.score(corpus, query, hits, first), limit),
      milliseconds: Math.max(0, elapsed - expanderMilliseconds),
      expanderMilliseconds,
    })
    onQuestion(asked.length)
  }
  return asked
}

/** What was not asked for cannot be found. */
const withinDepth = (scores: Record<string, number>, limit: number): Record<string, number> =>
  Object.fromEntries(
    Object.entries(scores).filter(([metric]) => Number(/@(\d+)$/.exec(metric)?.[1] ?? 0) <= limit),
  )

const asTurn = ({ note }: Hit) => ({
  ...{ path: note?.id ?? '', session: note?.session ?? '' },
  ...{ startLine: 1, endLine: 1 },
})
