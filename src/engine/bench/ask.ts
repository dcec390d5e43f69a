/** Asks the questions of one corpus with the settings of one row, through the public API as a user would, and scores the answers. */

import type { Answer, Hit } from '../../core/types.js'
import { scoreCodeSearch, scoreDocuments, scoreTurns } from '../../measuring/metrics/score-query.js'
import type { AskedQuestion } from '../../measuring/report/report.js'
import type { BenchQuery, LabelledCorpus } from '../../measuring/sets/shape.js'
import type { Quarry } from '../api.js'

export interface AskOptions {
  readonly depth: number | undefined
  /** So many questions are asked beforehand, and do not count. */
  readonly warmUp: number
  readonly onQuestion: (done: number) => void
  readonly onWarning: (message: string) => void
  readonly signal?: AbortSignal
}

/** So many hits are asked for where nobody says otherwise: ten are enough for what code is scored by. */
const DEPTHS = { documents: 100, repository: 10, conversation: 100 } as const

export const askCorpus = async (
  quarry: Quarry,
  corpus: LabelledCorpus,
  { depth, warmUp, onQuestion, onWarning, signal }: AskOptions,
): Promise<readonly AskedQuestion[]> => {
  const { kind } = corpus.material
  const limit = depth ?? DEPTHS[kind]
  const ask = ({ text, now }: BenchQuery): Promise<Answer> => {
    const request = { limit, refresh: 'never', ...(signal && { signal }) } as const
    return kind === 'conversation'
      ? quarry.recall(text, { ...request, ...(now !== undefined && { now }) })
      : quarry.search(text, request)
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
    asked.push({
      ...{ id, category, language: corpus.language, repository: corpus.repository },
      scores: scoresOf(corpus, query, hits, limit),
      milliseconds: Math.max(0, elapsed - expanderMilliseconds),
      expanderMilliseconds,
    })
    onQuestion(asked.length)
  }
  return asked
}

const scoresOf = (
  corpus: LabelledCorpus,
  query: BenchQuery,
  hits: readonly Hit[],
  limit: number,
): Record<string, number> => {
  const { kind } = corpus.material
  const scores =
    kind === 'conversation'
      ? scoreTurns(query, hits.map(asTurn))
      : kind === 'repository'
        ? scoreCodeSearch(corpus, query, hits)
        : scoreDocuments(corpus, query, hits)
  const { 'R@100': deep, ...others } = scores
  // What was not asked for cannot be found.
  return limit >= 100 && deep !== undefined ? { ...others, 'R@100': deep } : others
}

const asTurn = ({ note }: Hit) => ({
  ...{ path: note?.id ?? '', session: note?.session ?? '' },
  ...{ startLine: 1, endLine: 1 },
})
