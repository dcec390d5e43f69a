/** `explain`: why do these lines look the way they do. What git says exactly, and what the index adds to it by inference. */

import type { Warning } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { Explanation, RelatedCommit } from '../../core/explanation.js'
import type { IndexReader } from '../../core/ports.js'
import type { Settings } from '../../core/settings.js'
import type { Quarry } from '../api.js'
import type { History } from '../history.js'
import { type CommitParts, type Source, tellCommit } from './commit.js'
import { findDeletion } from './deletion.js'
import { type ExactLines, exactLines } from './exact.js'
import type { LineGroup } from './lines.js'
import { askedFile } from './path.js'
import { relatedCommits } from './related.js'
import { chooseVersion } from './version.js'

export interface ExplainParts {
  readonly root: string
  readonly settings: Settings
  readonly history: History
}

const LIMIT = 5
const MOST = 20

export const explainer =
  ({ root, settings, history }: ExplainParts): Quarry['explain'] =>
  async (place, request = {}): Promise<Explanation> => {
    const { limit = LIMIT, at, ignoreWhitespace = false, related: isRelatedWanted = true } = request
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
      throw new QuarryError('BAD_INPUT', `limit must be a whole number from 1 to ${MOST}, not ${limit}`)
    const signal = request.signal ? { signal: request.signal } : {}
    const repository = await history.repository()
    const roots = { root, prefix: repository.prefix, isBare: repository.top === null }
    const file = await askedFile(place.path, roots)
    const opening = openIndex(history)
    // Awaited later; without this a failure in between would count as unhandled.
    opening.catch(() => {})
    const version = await chooseVersion(repository, file, {
      ...{ root, ignoreWhitespace, ...(at !== undefined && { at }), ...signal },
      findDeletion: async head =>
        findDeletion(repository, head, file, { history, index: (await opening).index, ...signal }),
    })
    const isOldRevision = at !== undefined
    const lines = await exactLines(repository, file, version, {
      place,
      isOldRevision,
      ignoreWhitespace,
      ...signal,
    })
    const { index, warnings: unindexed } = await opening
    const sources = await tellAll(lines, limit, { repository, index, ...signal })
    const related = isRelatedWanted
      ? await relatedTo(sources, lines, index, { path: file.path, limit, rrfK: settings.rrfK })
      : { commits: [], warnings: [] }
    return {
      path: file.path,
      at: version.at,
      startLine: lines.asked.start,
      endLine: lines.asked.end,
      exact: sources.map(({ entry }) => entry),
      uncommitted: lines.uncommitted,
      related: related.commits,
      warnings: [
        ...version.warnings,
        ...lines.warnings,
        ...leftOut(lines, limit),
        ...(isRelatedWanted ? unindexed : []),
        ...related.warnings,
      ],
      index: index && (await index.state()),
    }
  }

/** What git says needs no index: one that is missing or cannot be read costs the related commits only. */
const openIndex = async (
  history: History,
): Promise<{ readonly index: IndexReader | null; readonly warnings: readonly Warning[] }> => {
  const without = (message: string, hint = 'quarry index') => ({
    index: null,
    warnings: [{ code: 'NO_HISTORY_INDEX', message: `No related commits: ${message}`, hint }],
  })
  try {
    const index = await history.shelf.openIfThere()
    return index ? { index, warnings: [] } : without('the history is not indexed yet')
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error
    return without(error.message, error.hint)
  }
}

const tellAll = async (
  { removed, wrote, asked }: ExactLines,
  limit: number,
  parts: CommitParts,
): Promise<readonly Source[]> => {
  const total = asked.end - asked.start + 1
  const shown = [...removed.slice(0, limit), ...wrote.slice(0, limit)]
  return Promise.all(shown.map(group => tellCommit(group, total, parts)))
}

const relatedTo = async (
  sources: readonly Source[],
  { removed, wrote }: ExactLines,
  index: IndexReader | null,
  request: { readonly path: string; readonly limit: number; readonly rrfK: number },
): Promise<{ readonly commits: readonly RelatedCommit[]; readonly warnings: readonly Warning[] }> => {
  if (index === null || sources.length === 0) return { commits: [], warnings: [] }
  const except = new Set([...removed, ...wrote].map(({ sha }) => sha))
  try {
    return { commits: await relatedCommits(sources, index, { ...request, except }), warnings: [] }
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error
    const message = `No related commits: ${error.message}`
    return {
      commits: [],
      warnings: [{ code: 'RELATED_FAILED', message, hint: error.hint ?? 'quarry doctor' }],
    }
  }
}

/** `12 more commits wrote 61 % of the lines`. */
const leftOut = ({ removed, wrote, asked }: ExactLines, limit: number): readonly Warning[] => {
  const total = asked.end - asked.start + 1
  const said = (groups: readonly LineGroup[], verb: string): readonly Warning[] => {
    const rest = groups.slice(limit)
    if (rest.length === 0) return []
    const percent = Math.round((100 * rest.reduce((sum, { count }) => sum + count, 0)) / total)
    const message = `${rest.length} more commit${rest.length === 1 ? '' : 's'} ${verb} ${percent} % of the lines`
    const hint = limit < MOST ? `-k ${Math.min(MOST, groups.length)}` : 'ask for fewer lines'
    return [{ code: 'MORE_COMMITS', message, hint }]
  }
  return [...said(removed, 'removed'), ...said(wrote, 'wrote')]
}
