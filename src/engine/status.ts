/** What the index holds against what the work tree holds. Counted anew each time; no flag is trusted. */

import type { IndexState, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { KnownDocument, Source } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { Skipped, SkipReason } from '../core/types.js'
import type { ModelShare, Models, Status } from './api.js'
import type { History } from './history.js'
import { isLeftOut } from './is-left-out.js'
import type { OpenNotes } from './notes/notes.js'
import { asWarning, orFailure } from './part-failure.js'
import { countChanged, knownTo } from './refresh.js'
import type { Shelf } from './shelf.js'
import { modelsNeeded, shareOf, worthOfCode } from './worth-models.js'

export interface StatusParts {
  readonly root: string
  readonly directory: string
  readonly source: Source
  readonly shelf: Shelf
  readonly history: History
  readonly notes: OpenNotes
  readonly models: Models
  readonly settings: Settings
  readonly isBare: boolean
}

export const statusOf = async (parts: StatusParts): Promise<Status> => {
  const { root, directory, source, shelf, history, notes } = parts
  const code = await orFailure(() => codeIndexed(shelf))
  const { index, known, remembered } = code instanceof QuarryError ? NOTHING_INDEXED : code
  const changes = await source.changes(known)
  const skipped = merge(remembered.filter(isLeftOut), changes.skipped)
  const problem = code instanceof QuarryError ? asWarning(code) : null
  const past = await history.status()
  const noted = await orFailure(notes.status)
  const unread = noted instanceof QuarryError ? asWarning(noted) : null
  return {
    root,
    indexDirectory: directory,
    index,
    problem,
    models: await modelShares(parts, index),
    changed: await countChanged(changes.touched, known, source),
    gone: changes.gone.length,
    skipped,
    skippedByReason: countReasons(skipped),
    redacted: remembered.filter(entry => !isLeftOut(entry)),
    history: past,
    notes: noted instanceof QuarryError ? null : noted,
    // What cannot be read is told of; the rest of the status stands.
    warnings: [parts.isBare ? NO_FILES : null, problem, past?.problem ?? null, unread].filter(
      warning => warning !== null,
    ),
  }
}

/** What lies in it is git's own. */
export const NO_FILES: Warning = {
  code: 'BARE_REPOSITORY',
  message: 'This is a bare repository: there is history, but there are no files to search',
  hint: 'quarry find "…"',
}

const modelShares = async (
  { models, settings }: StatusParts,
  index: IndexState | null,
): Promise<readonly ModelShare[]> => {
  const needed = modelsNeeded(settings, worthOfCode(settings), index)
  return (await models.list())
    .filter(({ role, chosen }) => role === 'embedder' && chosen)
    .map(({ name, present }) => ({
      ...{ name, present, needed: needed.includes(name) },
      vectors: shareOf(name, index?.vectors ?? {}),
    }))
}

interface CodeIndexed {
  readonly index: IndexState | null
  readonly known: ReadonlyMap<string, KnownDocument>
  readonly remembered: readonly Skipped[]
}

const NOTHING_INDEXED: CodeIndexed = { index: null, known: new Map(), remembered: [] }

const codeIndexed = async (shelf: Shelf): Promise<CodeIndexed> => {
  const reader = await shelf.openIfThere()
  if (reader === null) return NOTHING_INDEXED
  return { index: await reader.state(), known: await knownTo(reader), remembered: await reader.skipped() }
}

const merge = (remembered: readonly Skipped[], now: readonly Skipped[]): readonly Skipped[] => {
  const byPath = new Map([...remembered, ...now].map(entry => [entry.path, entry]))
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const countReasons = (skipped: readonly Skipped[]): Partial<Record<SkipReason, number>> => {
  const counts: Partial<Record<SkipReason, number>> = {}
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
