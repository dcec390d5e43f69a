/** Search and similar: makes sure there is an index worth asking, runs the query path, makes an answer of it. */

import type { Answer, Hit, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { IndexReader, Source } from '../core/ports.js'
import type { Candidate } from '../core/questions.js'
import type { Settings } from '../core/settings.js'
import type { StoredChunk } from '../core/types.js'
import { questionWords } from '../present/question-words.js'
import { shownSymbol } from '../present/shown-symbol.js'
import { query } from '../retrieval/query.js'
import type { IndexRequest, Place, Quarry, SearchRequest } from './api.js'
import type { Embedders } from './embedders.js'
import type { Expanders, Share } from './expanders.js'
import { type Looked, refresher } from './refresh.js'
import { settingsFor } from './request-settings.js'
import type { Rerankers } from './rerankers.js'
import { NO_FILES } from './status.js'
import { worthOfCode } from './worth-models.js'

export interface SearchParts {
  readonly settings: Settings
  readonly source: Source
  readonly openReader: () => Promise<IndexReader>
  readonly index: (request: IndexRequest, looked?: Looked) => Promise<unknown>
  readonly embedders: Embedders
  readonly rerankers: Rerankers
  readonly expanders: Expanders
  readonly now: () => number
  readonly isBare: boolean
  readonly stirs?: () => number | null
}

/** As the door has it, and for whoever asks several kinds at a time, with what they share. */
export type SharedSearch = (question: string, request?: SearchRequest, share?: Share) => Promise<Answer>

export const searcher = (
  parts: SearchParts,
): { readonly search: SharedSearch; readonly similar: Quarry['similar'] } => {
  const { settings, embedders, rerankers, expanders, now } = parts
  const refresh = refresher(parts)
  const worth = worthOfCode(settings)

  const prepare = async (
    request: SearchRequest,
  ): Promise<{ index: IndexReader; warnings: readonly Warning[] }> => {
    const limit = request.limit ?? settings.limit
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
      throw new QuarryError('BAD_INPUT', `limit must be a whole number from 1 to 1000, not ${limit}`)
    }
    const warnings = request.refresh === 'never' ? [] : await refresh(request)
    const index = await parts.openReader()
    // Where another indexer is at work, there will be.
    const isBehind = warnings.some(({ code }) => code === 'STALE' || code === 'INDEX_LOCKED')
    const nothing = isBehind ? [] : await nothingThere(index, parts.isBare)
    return { index, warnings: [...warnings, ...nothing] }
  }

  return {
    async search(question, request = {}, share = same => same) {
      if (question.trim() !== '') await embedders.warmUp(parts.openReader, worth)
      const { index, warnings } = await prepare(request)
      if (question.trim() === '') return emptyAnswer(question, index, warnings)
      const { embedders: usable, warnings: missing } = await embedders.forQuestions(index, worth)
      const { reranker, warnings: unranked } = await rerankers.chosen(request.rerank)
      const { expander, warnings: unasked } = await expanders.chosen(request, index, 'code')
      const result = await query(
        question,
        { index, embedders: usable, reranker, expander: expander && share(expander) },
        {
          source: 'code',
          settings: settingsFor(settings, request),
          filter: request.filter ?? {},
          limit: request.limit ?? settings.limit,
          now: now(),
          ...(request.signal && { signal: request.signal }),
        },
      )
      const words = questionWords(question)
      return {
        query: question,
        ...(result.expansion && { expansion: result.expansion }),
        hits: result.candidates.map(candidate => toHit(candidate, request.explain ?? false, words)),
        warnings: [...warnings, ...missing, ...unranked, ...unasked, ...result.warnings],
        index: await index.state(),
      }
    },

    async similar(place, request = {}) {
      const { index, warnings } = await prepare(request)
      const chunk = await findChunk(place, index)
      const { embedders: usable, warnings: missing } = await embedders.forQuestions(index, worth)
      const limit = request.limit ?? settings.limit
      const near = await nearestTo(
        chunk,
        usable.map(({ id }) => id),
        request,
        limit + chunk.siblings,
        index,
      )
      const hits = near.filter(({ chunk: other }) => other.id !== chunk.id).slice(0, limit)
      const asked = `like ${chunk.path}:${chunk.startLine}-${chunk.endLine}`
      const words = questionWords(asked)
      return {
        query: asked,
        hits: hits.map(candidate => toHit(candidate, request.explain ?? false, words)),
        warnings: [...warnings, ...missing],
        index: await index.state(),
      }
    },
  }
}

export const emptyAnswer = async (
  question: string,
  index: IndexReader,
  warnings: readonly Warning[],
  verb = 'search',
): Promise<Answer> => ({
  query: question,
  hits: [],
  warnings: [
    ...warnings,
    { code: 'EMPTY_QUESTION', message: 'The question is empty', hint: `quarry ${verb} "…"` },
  ],
  index: await index.state(),
})

/** Nothing found is an answer; nothing to look at has a reason. */
const nothingThere = async (index: IndexReader, isBare: boolean): Promise<readonly Warning[]> => {
  if ((await index.state()).chunks > 0) return []
  return [isBare ? NO_FILES : NOTHING_HERE]
}

const NOTHING_HERE: Warning = {
  code: 'NO_FILES',
  message: 'There are no files to search here',
  hint: 'quarry status --skipped (what was left out), or: quarry search "…" --repo DIR',
}

const findChunk = async (place: Place, index: IndexReader): Promise<StoredChunk> => {
  if ('id' in place) {
    const [chunk] = await index.chunksByDigest(place.id)
    if (chunk) return chunk
    throw new QuarryError('BAD_INPUT', `No chunk has the id ${place.id}`, {
      hint: 'quarry search "…" --json',
    })
  }
  const chunks = await index.chunksOf(place.path)
  const chunk = chunks.find(({ startLine, endLine }) => startLine <= place.line && place.line <= endLine)
  if (chunk) return chunk
  const reason =
    chunks.length === 0
      ? `${place.path} is not in the index`
      : `${place.path} has no text at line ${place.line}`
  throw new QuarryError('BAD_INPUT', reason, { hint: 'quarry status --skipped' })
}

/** The first embedder that has a vector of the chunk decides; vectors of different models are never compared. */
const nearestTo = async (
  chunk: StoredChunk,
  embedderIds: readonly string[],
  request: SearchRequest,
  limit: number,
  index: IndexReader,
): Promise<readonly Candidate[]> => {
  for (const id of embedderIds) {
    const vector = (await index.vectors(id, [chunk.id])).get(chunk.id)
    if (vector === undefined) continue
    const near = await index.nearest(id, vector, request.filter ?? {}, limit)
    const scores = new Map(near.map(row => [row.id, row.score]))
    return (await index.chunks([...scores.keys()])).map(other => {
      const score = scores.get(other.id)!
      return {
        chunk: other,
        score,
        ledger: [{ stage: 'vector', score, why: `cosine by ${id}` }],
        signals: { ranks: {}, strengths: {}, cosines: { [id]: score } },
      }
    })
  }
  return []
}

/** With the question it is called after its best line; what is told from its first line on is called after that. */
export const toHit = (
  { chunk, score, ledger }: Candidate,
  explain: boolean,
  words?: ReadonlySet<string>,
): Hit => ({
  id: chunk.digest,
  kind: chunk.kind,
  path: chunk.path,
  startLine: chunk.startLine,
  endLine: chunk.endLine,
  symbol: words === undefined ? firstSymbol(chunk) : shownSymbol(chunk, words),
  language: chunk.language,
  score: Number(score.toFixed(6)),
  text: chunk.text,
  ...(explain && { explain: ledger.map(line => ({ ...line })) }),
})

const firstSymbol = ({ symbols: [first] }: StoredChunk): string | null => first?.qualifiedName ?? null
