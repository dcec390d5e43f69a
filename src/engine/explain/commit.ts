/** A commit with its hunks, from the index where it is there and from git where it is not, and the hunk that tells of lines. */

import { hunkChunks } from '../../adapters/chunkers/diff/hunk-chunks.js'
import { parseDiff } from '../../adapters/chunkers/diff/parse-diff.js'
import { commitDiff, commitFacts } from '../../adapters/git/commit-diff.js'
import type { Repository } from '../../adapters/git/shadow.js'
import { QuarryError } from '../../core/errors.js'
import type { ExplainingCommit, LineSpan } from '../../core/explanation.js'
import type { IndexReader } from '../../core/ports.js'
import type { Chunk, CommitFacts, StoredChunk } from '../../core/types.js'
import { hunkLines } from '../../text/hunk-lines.js'
import type { LineGroup } from './lines.js'
import { seenFromRoot } from './path.js'

export interface OpenedCommit {
  readonly facts: CommitFacts
  /** Of the files that matter, which are as seen from the root. */
  readonly hunks: readonly Chunk[]
  /** Of all files. */
  readonly hunkCount: number
  /** What the index searches it by; null where it is not in the index. */
  readonly own: StoredChunk | null
  /** Where files went that it moved, by where they were; those without a hunk too. Only git tells. */
  readonly moves: ReadonlyMap<string, string>
}

/** An exact commit with what the search for related ones needs of it. */
export interface Source {
  readonly entry: ExplainingCommit
  readonly hunk: Chunk | null
  readonly own: StoredChunk | null
}

export interface CommitParts {
  readonly repository: Repository
  readonly index: IndexReader | null
  readonly signal?: AbortSignal
}

/** The commit of a group, told by the hunk that holds most of its lines. */
export const tellCommit = async (group: LineGroup, total: number, parts: CommitParts): Promise<Source> => {
  const indexed = await fromIndex(group.sha, parts.index)
  const known = indexed && chooseHunk(indexed, group, parts.repository.prefix)
  // The index leaves out merges, files outside of the root and what is too large to be searched.
  const opened = indexed && known?.hunk ? indexed : await orIndexed(fromGit(group, parts), indexed)
  const { hunk, path, lines } = known?.hunk ? known : chooseHunk(opened, group, parts.repository.prefix)
  const [first] = lines
  const moved = group.role === 'gone' && !hunk ? opened.moves.get(path) : undefined
  const change = hunk?.file?.change ?? (moved === undefined ? null : 'renamed')
  return {
    hunk,
    own: indexed?.own ?? null,
    entry: {
      ...factsOf(opened),
      ...{ provenance: 'exact', role: roleOf(group, change), share: group.count / total, lines: group.lines },
      path: hunk?.file?.path ?? moved ?? path,
      startLine: hunk?.startLine ?? first?.[0] ?? 1,
      endLine: hunk?.endLine ?? first?.[1] ?? 1,
      originalLines: lines,
      symbol: hunk?.symbols[0]?.qualifiedName ?? null,
      change,
      ...(hunk?.file?.oldPath !== undefined && { oldPath: hunk.file.oldPath }),
      ...(moved !== undefined && { oldPath: path }),
      text: hunk?.text ?? '',
    },
  }
}

/** Objects that were never fetched cost the hunk, not the commit. */
const orIndexed = async (
  opening: Promise<OpenedCommit>,
  indexed: OpenedCommit | null,
): Promise<OpenedCommit> =>
  opening.catch(error => {
    if (indexed && error instanceof QuarryError && error.code === 'GIT_FAILED') return indexed
    throw error
  })

const roleOf = ({ role }: LineGroup, change: ExplainingCommit['change']): ExplainingCommit['role'] => {
  if (role !== 'gone') return role
  return change === 'renamed' ? 'moved' : 'removed'
}

export const factsOf = ({ facts, hunkCount }: Pick<OpenedCommit, 'facts' | 'hunkCount'>) => ({
  commit: facts.sha,
  author: facts.author,
  email: facts.email,
  date: new Date(facts.authored).toISOString(),
  committed: new Date(facts.committed).toISOString(),
  message: facts.message,
  hunks: hunkCount,
})

const fromIndex = async (sha: string, index: IndexReader | null): Promise<OpenedCommit | null> => {
  const [own, ...hunks] = (await index?.chunksOf(sha)) ?? []
  return own?.commit ? { facts: own.commit, hunks, hunkCount: hunks.length, own, moves: new Map() } : null
}

/** Only the files that are asked for are cut: a commit may change a thousand others. */
const fromGit = async (group: LineGroup, { repository, signal }: CommitParts): Promise<OpenedCommit> => {
  const { text, commit } = await commitDiff(repository, group.sha, signal).catch(async error => {
    if (!(error instanceof QuarryError && error.code === 'GIT_FAILED')) throw error
    // An object of it is missing, perhaps of another file: who wrote the lines is known all the same.
    return { text: '', commit: await commitFacts(repository, group.sha, signal) }
  })
  const wanted = new Set(group.places.map(({ path }) => path))
  const { prefix } = repository
  const seen = parseDiff(text).map(section => ({
    section: {
      ...section,
      path: seenFromRoot(section.path, prefix),
      oldPath: seenFromRoot(section.oldPath, prefix),
    },
    isWanted: wanted.has(section.path) || wanted.has(section.oldPath),
  }))
  const moved = seen.filter(({ section }) => section.change === 'renamed')
  return {
    facts: commit!,
    hunks: seen.flatMap(({ section, isWanted }) => (isWanted ? hunkChunks(text, section) : [])),
    hunkCount: seen.reduce((sum, { section }) => sum + section.hunks.length, 0),
    own: null,
    moves: new Map(moved.map(({ section }) => [section.oldPath, section.path])),
  }
}

interface ChosenHunk {
  readonly hunk: Chunk | null
  readonly path: string
  readonly lines: readonly LineSpan[]
}

/** Of the places where the commit has the lines, the first that a hunk tells of. */
const chooseHunk = ({ hunks }: Pick<OpenedCommit, 'hunks'>, group: LineGroup, prefix: string): ChosenHunk => {
  const places = group.places.map(({ path, lines }) => ({ path: seenFromRoot(path, prefix), lines }))
  for (const { path, lines } of places) {
    const hunk = bestHunk(hunks, path, lines, group.role === 'wrote' ? 'after' : 'before')
    if (hunk) return { hunk, path, lines }
  }
  return { hunk: null, path: places[0]!.path, lines: places[0]!.lines }
}

/** The hunk that changes most of these lines of this file; failing that, one that shows them. */
export const bestHunk = <Kind extends Chunk>(
  hunks: readonly Kind[],
  path: string,
  lines: readonly LineSpan[],
  side: 'before' | 'after',
): Kind | null => {
  const sign = side === 'after' ? '+' : '-'
  const away = side === 'after' ? '-' : '+'
  let best: { hunk: Kind; changed: number; shown: number } | null = null
  for (const hunk of hunks) {
    const name = side === 'after' ? hunk.file?.path : (hunk.file?.oldPath ?? hunk.file?.path)
    if (name !== path) continue
    const own = hunkLines(hunk.text).filter(
      line => line !== null && line.sign !== away && isWithin(line[side], lines),
    )
    const changed = own.filter(line => line?.sign === sign).length
    if (
      own.length > 0 &&
      (best === null || changed > best.changed || (changed === best.changed && own.length > best.shown))
    )
      best = { hunk, changed, shown: own.length }
  }
  return best?.hunk ?? null
}

const isWithin = (line: number, spans: readonly LineSpan[]): boolean =>
  spans.some(([start, end]) => start <= line && line <= end)
