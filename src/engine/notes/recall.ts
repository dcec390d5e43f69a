/** `recall`: the query path over notes, and an answer in which each turn stands between its neighbours. */

import type { Answer, IndexState, Warning } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { ChunkFilter, Period } from '../../core/questions.js'
import type { Settings } from '../../core/settings.js'
import { query } from '../../retrieval/query.js'
import { readTimeWords } from '../../text/time-words.js'
import type { Embedders } from '../embedders.js'
import type { Expanders, Share } from '../expanders.js'
import type { Rerankers } from '../rerankers.js'
import { emptyAnswer } from '../search.js'
import { worthOfNotes } from '../worth-models.js'
import type { RecallRequest } from './api.js'
import { noteHits } from './hits.js'
import type { OpenNotes } from './notes.js'

export interface RecallParts {
  readonly settings: Settings
  readonly notes: OpenNotes
  readonly embedders: Embedders
  readonly rerankers: Rerankers
  readonly expanders: Expanders
  readonly now: () => number
}

/** As other searches, one that `ask` may share an expander with. */
export type SharedRecall = (question: string, request?: RecallRequest, share?: Share) => Promise<Answer>

const DAY = 24 * 60 * 60 * 1000

export const recaller = (parts: RecallParts): SharedRecall => {
  const { notes, embedders, rerankers, now } = parts
  const settings = noteSettings(parts.settings)
  return async (question, request = {}, share = same => same) => {
    const limit = request.limit ?? settings.limit
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new QuarryError('BAD_INPUT', `limit must be a whole number from 1 to 1000, not ${limit}`)
    if (!notes.notebook.isThere()) return nothingNoted(question)
    if (question.trim() !== '') await embedders.warmUp(notes.shelf.openReader, worthOfNotes)
    const stale = request.refresh === 'never' ? [] : await notes.refresh(request)
    const index = await notes.shelf.openReader()
    if (question.trim() === '') return emptyAnswer(question, index, stale, 'recall')
    const filter = await filterOf(request, notes)
    const { embedders: usable, warnings: missing } = await embedders.forQuestions(index, worthOfNotes)
    if (filter === null) {
      const warnings = [...stale, ...missing, nothingCalled(request)]
      return { query: question, hits: [], warnings, index: await index.state() }
    }
    const at = request.now ?? now()
    const { period, understood } = isTimed(request) ? NO_TIME : timeIn(question, at)
    const { reranker, warnings: unranked } = await rerankers.chosen(request.rerank)
    const { expander, warnings: unasked } = await parts.expanders.chosen(request, index, 'note')
    const { maxPerFile } = request
    const result = await query(
      question,
      {
        ...{ index, reranker, expander: expander && share(expander) },
        // The table of words sees what the models do not: both count.
        embedders: usable.includes(embedders.quick) ? usable : [...usable, embedders.quick],
        words: embedders.quick,
      },
      {
        source: 'note',
        settings: maxPerFile === undefined ? settings : { ...settings, diversity: { maxPerFile } },
        filter,
        // A day may begin before the time that was asked for and go on behind it: what is outside is left out below.
        limit: isTimed(request) ? 3 * limit : limit,
        now: at,
        speakers: await notes.notebook.speakers(),
        ...(period && { period }),
        ...(request.signal && { signal: request.signal }),
      },
    )
    const hits = await noteHits(result.candidates, notes.notebook, question, request)
    return {
      query: question,
      ...(understood.length > 0 && { understood }),
      ...(result.expansion && { expansion: result.expansion }),
      hits: hits.slice(0, limit),
      warnings: [...stale, ...missing, ...unranked, ...unasked, ...result.warnings],
      index: await index.state(),
    }
  }
}

/** A turn is short and found by few words: the answer is further down than in code (bench/results/notes.jsonl). */
const NOTE_POOL = 150

/** Notes have a recency and a cap of their own; all stages are the same. */
const noteSettings = (settings: Settings): Settings => ({
  ...settings,
  pool: Math.max(settings.pool, settings.profile === 'best' ? NOTE_POOL : 0),
  recency: { ...settings.recency, weight: settings.notes.recencyWeight },
  diversity: { maxPerFile: settings.notes.maxPerSession },
})

const isTimed = ({ filter = {} }: RecallRequest): boolean =>
  filter.since !== undefined || filter.until !== undefined

/** Sessions and tags are the notebook's to know: they become the names of notes. Null where no note fits. */
const filterOf = async (
  { filter = {}, session, tags, speaker }: RecallRequest,
  { notebook }: OpenNotes,
): Promise<ChunkFilter | null> => {
  const { kinds: _, since, ...rest } = filter
  const narrow = {
    ...rest,
    ...(since !== undefined && { since: Math.floor(since / DAY) * DAY }),
    ...(speaker !== undefined && { speaker }),
  }
  if (session === undefined && (tags ?? []).length === 0) return narrow
  const meant = await notebook.list({ ...(session !== undefined && { session }), ...(tags && { tags }) })
  return meant.length === 0 ? null : { ...narrow, documents: meant.map(({ name }) => name) }
}

const nothingCalled = ({ session, tags = [] }: RecallRequest): Warning => {
  const asked = [
    session !== undefined && `of the conversation ${session}`,
    ...tags.map(tag => `tagged ${tag}`),
  ]
  return {
    code: 'NOTHING_FITS',
    message: `There is no note ${asked.filter(Boolean).join(' and ')}`,
    hint: 'quarry notes list',
  }
}

const NO_TIME = { period: undefined, understood: [] }

/** Only a wish: "when did she move in May" may have been told in June. */
const timeIn = (
  question: string,
  now: number,
): { period: Period | undefined; understood: readonly string[] } => {
  const { phrases, since, until } = readTimeWords(question, now)
  if (phrases.length === 0 || (since === undefined && until === undefined)) return NO_TIME
  const said = [since !== undefined && `since ${day(since)}`, until !== undefined && `until ${day(until)}`]
  return {
    period: { ...(since !== undefined && { since }), ...(until !== undefined && { until }) },
    understood: [`“${phrases.join('”, “')}”: ${said.filter(Boolean).join(', ')}, preferred`],
  }
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

const NO_INDEX: IndexState = { documents: 0, chunks: 0, vectors: {}, indexedAt: null }
const NO_NOTES: Warning = {
  code: 'NO_NOTES',
  message: 'Nothing was noted here yet',
  hint: 'quarry remember "…", or: quarry notes add DIR',
}

const nothingNoted = (question: string): Answer => ({
  query: question,
  hits: [],
  warnings: [NO_NOTES],
  index: NO_INDEX,
})
