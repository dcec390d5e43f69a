/** `find`: how was it done before. The query path over history, and an answer that tells each commit's story. */

import type { CommitHit, Hit, RelatedSymbol } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { IndexReader } from '../core/ports.js'
import type { Candidate } from '../core/questions.js'
import type { Settings } from '../core/settings.js'
import type { ChunkId, CodeSymbol, StoredChunk } from '../core/types.js'
import { query } from '../retrieval/query.js'
import { SCORING } from '../retrieval/scoring.js'
import { tokenise } from '../text/tokenise.js'
import type { Embedders } from './embedders.js'
import type { ExactSymbols } from './exact-symbols.js'
import type { Expanders } from './expanders.js'
import type { History } from './history.js'
import { asWarning, orFailure } from './part-failure.js'
import { settingsFor } from './request-settings.js'
import type { Rerankers } from './rerankers.js'
import { emptyAnswer, type SharedSearch, toHit } from './search.js'
import type { Shelf } from './shelf.js'
import { timeFilter } from './time-filter.js'
import { worthOfHistory } from './worth-models.js'

export interface FindParts {
  readonly settings: Settings
  readonly history: History
  /** Of the work tree: says where a name is now. */
  readonly code: Shelf
  readonly exactSymbols: ExactSymbols
  readonly embedders: Embedders
  readonly rerankers: Rerankers
  readonly expanders: Expanders
  readonly now: () => number
}

export const finder = (parts: FindParts): SharedSearch => {
  const settings = historySettings(parts.settings)
  return async (question, request = {}, share = same => same) => {
    const limit = request.limit ?? settings.limit
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new QuarryError('BAD_INPUT', `limit must be a whole number from 1 to 1000, not ${limit}`)
    const { history, embedders, rerankers, now } = parts
    if (question.trim() !== '') await embedders.warmUp(history.shelf.openReader, worthOfHistory)
    const stale = request.refresh === 'never' ? [] : await history.refresh(request)
    const index = await history.shelf.openReader()
    if (question.trim() === '') return emptyAnswer(question, index, stale, 'find')
    const asked = await timeFilter(question, request.filter ?? {}, history, now())
    const { embedders: usable, warnings: missing } = await embedders.forQuestions(index, worthOfHistory)
    const { reranker, warnings: unranked } = await rerankers.chosen(request.rerank)
    const { expander, warnings: unasked } = await parts.expanders.chosen(request, index, 'hunk')
    const result = await query(
      asked.question,
      { index, embedders: usable, reranker, expander: expander && share(expander) },
      {
        ...{
          source: 'hunk',
          settings: settingsFor(settings, request),
          filter: asked.filter,
          limit,
          now: now(),
        },
        ...(request.lines && { lines: request.lines }),
        ...(request.signal && { signal: request.signal }),
      },
    )
    const explain = request.explain ?? false
    const chunks = result.candidates.map(({ chunk }) => chunk)
    const exact = request.exactSymbols ? await parts.exactSymbols(chunks, request.signal) : NOT_ASKED
    const hitsBeside = async (code: IndexReader | null): Promise<Hit[]> =>
      Promise.all(result.candidates.map(candidate => toCommitHit(candidate, exact, explain, code)))
    // The work tree only adds where the names are now: without its index the commits are told all the same.
    const whole = await orFailure(async () => hitsBeside(await parts.code.openIfThere()))
    const [hits, unrelated] =
      whole instanceof QuarryError ? [await hitsBeside(null), [asWarning(whole)]] : [whole, []]
    return {
      query: question,
      ...(asked.understood.length > 0 && { understood: asked.understood }),
      ...(result.expansion && { expansion: result.expansion }),
      hits,
      warnings: [
        ...[...stale, ...missing, ...unranked, ...unasked],
        ...[...asked.warnings, ...result.warnings, ...unrelated],
      ],
      index: await index.state(),
    }
  }
}

/** History has a limit, a recency and a cap of its own; all stages are the same. */
export const historySettings = (settings: Settings): Settings => ({
  ...settings,
  limit: settings.history.limit,
  recency: { ...settings.recency, weight: settings.history.recencyWeight },
  diversity: { maxPerFile: settings.history.maxPerFile },
})

const NOT_ASKED: ReadonlyMap<ChunkId, readonly CodeSymbol[]> = new Map()

const toCommitHit = async (
  candidate: Candidate,
  exact: ReadonlyMap<ChunkId, readonly CodeSymbol[]>,
  explain: boolean,
  code: IndexReader | null,
): Promise<Hit> => {
  const symbols = exact.get(candidate.chunk.id)
  const chunk = symbols ? { ...candidate.chunk, symbols } : candidate.chunk
  return {
    ...toHit({ ...candidate, chunk }, explain),
    ...(chunk.file ? {} : { path: '' }),
    ...commitOf(chunk),
    symbols: chunk.symbols.map(({ qualifiedName }) => qualifiedName),
    symbolProvenance: symbols ? 'exact' : 'inferred',
    related: await relatedSymbols(chunk, code),
  }
}

export const commitOf = ({ commit, file, siblings }: StoredChunk): CommitHit => ({
  commit: commit!.sha,
  author: commit!.author,
  email: commit!.email,
  date: new Date(commit!.authored).toISOString(),
  committed: new Date(commit!.committed).toISOString(),
  message: commit!.message,
  change: file?.change ?? null,
  ...(file?.oldPath !== undefined && { oldPath: file.oldPath }),
  hunks: siblings - 1,
})

const MOST_RELATED = 5

/** The file has moved or is gone: whatever defines the names now. */
const chunksNaming = async (names: readonly string[], code: IndexReader): Promise<StoredChunk[]> => {
  const terms = names.flatMap(tokenise).map(token => ({ token, weight: 1 }))
  const found = await code.matchTerms(terms, SCORING.code.symbol, {}, MOST_RELATED)
  return code.chunks(found.map(({ id }) => id))
}

/** Where the names that a hunk touches are defined now: in the same file if it is still there. */
const relatedSymbols = async (
  { path, symbols }: StoredChunk,
  code: IndexReader | null,
): Promise<readonly RelatedSymbol[]> => {
  if (code === null || symbols.length === 0) return []
  const names = new Set(symbols.map(({ name }) => name))
  const here = await code.chunksOf(path)
  const chunks = here.length > 0 ? here : await chunksNaming([...names], code)
  return chunks
    .flatMap(chunk => chunk.symbols.map(symbol => ({ symbol, path: chunk.path })))
    .filter(({ symbol }) => names.has(symbol.name))
    .slice(0, MOST_RELATED)
    .map(({ symbol: { qualifiedName, line }, path }) => ({ symbol: qualifiedName, path, line }))
}
