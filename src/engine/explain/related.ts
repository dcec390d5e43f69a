/**
 * The inferred part of an explanation: commits of the index that seem to belong to the lines, because they touched what stood
 * there before, the same name, or speak of the same. Bounded: a fixed number of commits is looked at, however long history is.
 */

import type { RelatedCommit, RelatedReason } from '../../core/explanation.js'
import type { IndexReader } from '../../core/ports.js'
import type { WeighedTerm } from '../../core/questions.js'
import type { ChunkId, StoredChunk } from '../../core/types.js'
import { chooseHunk } from '../../ranking/choose-hunk.js'
import { fuse } from '../../ranking/fuse.js'
import { SCORING } from '../../retrieval/scoring.js'
import { weighTerms } from '../../retrieval/understand.js'
import { isStopWord } from '../../text/stop-words.js'
import { tokenise } from '../../text/tokenise.js'
import { type FileCommit, linesBefore, touchedBefore } from './before.js'
import { factsOf, type Source } from './commit.js'

export interface RelatedRequest {
  readonly path: string
  readonly limit: number
  /** Commits that are explained exactly. */
  readonly except: ReadonlySet<string>
  readonly rrfK: number
}

/** Of the commits that touch the file, so many of the newest are read. */
const MOST_COMMITS = 200
const MOST_NAMES = 4
const MOST_TERMS = 12
const LANE_TOP = 30
/** A commit that explains one line of a thousand still has something to say. */
const LEAST_SHARE = 0.05
/** A commit that says less than this part of what the best one says is about something else. */
const LEAST_STRENGTH = 0.25
/** What touched the very lines says most, what only speaks of the same says least. */
const WEIGHTS: Readonly<Record<RelatedReason, number>> = {
  'touched the same lines before': 3,
  'same symbol': 2,
  'same topic': 1,
}

/** A commit in one of the lists: with the hunk that put it there, if one did. */
interface Lead {
  readonly sha: string
  readonly hunk?: StoredChunk
}

interface LeadList {
  readonly why: RelatedReason
  readonly leads: readonly Lead[]
}

/** Best first. */
export const relatedCommits = async (
  sources: readonly Source[],
  index: IndexReader,
  request: RelatedRequest,
): Promise<RelatedCommit[]> => {
  const { limit, except, rrfK } = request
  const commits = byCommit(await index.hunksAt(namesOf(request.path, sources), MOST_COMMITS))
  const terms = await termsOf(sources, index)
  const lists: LeadList[] = [
    { why: 'touched the same lines before', leads: sameLines(sources, commits, limit + except.size) },
    { why: 'same symbol', leads: sameSymbol(sources, commits) },
    ...(await sameTopic(sources, terms, index)).map(leads => ({ why: 'same topic' as const, leads })),
  ]
  const rest = lists.map(({ why, leads }) => ({ why, leads: leads.filter(({ sha }) => !except.has(sha)) }))
  const shas = [...new Set(rest.flatMap(({ leads }) => leads.map(({ sha }) => sha)))]
  const numbers = new Map(shas.map((sha, number) => [sha, number]))
  const fused = fuse(
    rest.map(({ why, leads }) => ({
      weight: WEIGHTS[why],
      ids: [...new Set(leads.map(({ sha }) => numbers.get(sha)!))],
    })),
    rrfK,
  )
  const related: RelatedCommit[] = []
  for (const { id, score } of fused) {
    if (related.length === limit) break
    const sha = shas[id]!
    const { why, leads } = rest.find(({ leads: some }) => some.some(lead => lead.sha === sha))!
    const told = await tell(sha, leads.find(lead => lead.sha === sha)?.hunk, commits, terms, index)
    if (told) related.push({ ...told, why, score: Number(score.toFixed(6)) })
  }
  return related
}

/** The file under every name that its lines have had. */
const namesOf = (path: string, sources: readonly Source[]): string[] => {
  const names = sources.flatMap(({ entry }) => [entry.path, entry.oldPath ?? entry.path])
  return [...new Set([path, ...names])].filter(name => !name.startsWith('../')).slice(0, MOST_NAMES)
}

/** Newest first, as the hunks come. */
const byCommit = (hunks: readonly StoredChunk[]): FileCommit[] => {
  const commits = new Map<string, { sha: string; time: number; hunks: StoredChunk[] }>()
  for (const hunk of hunks) {
    const commit = commits.get(hunk.document) ?? { sha: hunk.document, time: hunk.time, hunks: [] }
    commit.hunks.push(hunk)
    commits.set(hunk.document, commit)
  }
  return [...commits.values()]
}

/** From each exact commit backwards; what stands nearest to one of them comes first. */
const sameLines = (sources: readonly Source[], commits: readonly FileCommit[], limit: number): Lead[] => {
  const ways = sources
    .filter(({ entry, hunk }) => entry.role === 'wrote' && hunk !== null)
    .map(({ entry, hunk }) => {
      const earlier = commits.filter(({ time }) => time < Date.parse(entry.committed))
      return touchedBefore(earlier, linesBefore(hunk!.text, entry.originalLines), limit)
    })
  const longest = Math.max(0, ...ways.map(way => way.length))
  const found = Array.from({ length: longest }, (_, depth) => ways.flatMap(way => way[depth] ?? []))
  return found.flat().map(hunk => ({ sha: hunk.document, hunk }))
}

/** The definitions that the lines are, or lie in. */
const namesTouched = (sources: readonly Source[]): ReadonlySet<string> => {
  const names = sources.flatMap(({ entry, hunk }) => {
    const symbols = [...(hunk?.symbols ?? [])].sort((one, other) => one.line - other.line)
    if (entry.role !== 'wrote') return symbols.slice(0, 1)
    return entry.originalLines.flatMap(([start, end]) => {
      const inside = symbols.filter(({ line }) => start <= line && line <= end)
      const around = symbols.filter(({ line }) => line < start).at(-1)
      return around ? [around, ...inside] : inside
    })
  })
  return new Set(names.map(({ qualifiedName }) => qualifiedName))
}

const sameSymbol = (sources: readonly Source[], commits: readonly FileCommit[]): Lead[] => {
  const names = namesTouched(sources)
  return commits.flatMap(({ sha, hunks }) => {
    const hunk = hunks.find(({ symbols }) => symbols.some(({ qualifiedName }) => names.has(qualifiedName)))
    return hunk ? [{ sha, hunk }] : []
  })
}

/** What the messages speak of, each as much as its commit explains: the few words that say most. */
const termsOf = async (sources: readonly Source[], index: IndexReader): Promise<readonly WeighedTerm[]> => {
  const subjects = sources.map(({ entry }) => ({
    text: entry.message.split('\n', 1)[0]!,
    weight: Math.max(entry.share, LEAST_SHARE),
  }))
  const shares = new Map<string, number>()
  for (const { text, weight } of subjects)
    for (const token of new Set(tokenise(text))) shares.set(token, (shares.get(token) ?? 0) + weight)
  return (await weighTerms(subjects.map(({ text }) => text).join('\n'), index, 'code'))
    .filter(({ token }) => !isStopWord(token))
    .map(({ token, rarity }) => ({ token, rarity, weight: shares.get(token) ?? LEAST_SHARE }))
    .sort((one, other) => other.weight * other.rarity - one.weight * one.rarity)
    .slice(0, MOST_TERMS)
}

/** By what messages say and by vectors: a list for each. */
const sameTopic = async (
  sources: readonly Source[],
  terms: readonly WeighedTerm[],
  index: IndexReader,
): Promise<Lead[][]> => {
  const own = sources.flatMap(source => source.own ?? [])
  const { vectors } = await index.state()
  const embedder = Object.entries(vectors).sort(([, one], [, other]) => other - one)[0]?.[0]
  const vector =
    embedder === undefined
      ? null
      : await meanVector(
          embedder,
          own.map(({ id }) => id),
          index,
        )
  const text = terms.length === 0 ? [] : await index.matchTerms(terms, SCORING.hunk.text, {}, LANE_TOP)
  const near = vector === null ? [] : await index.nearest(embedder!, vector, {}, LANE_TOP)
  const strong = [text, near].map(list =>
    list.filter(({ score }) => score >= LEAST_STRENGTH * list[0]!.score).map(({ id }) => id),
  )
  const chunks = await index.chunks([...new Set(strong.flat())])
  const shas = new Map(chunks.map(chunk => [chunk.id, chunk.document]))
  return strong.map(ids => ids.flatMap(id => (shas.has(id) ? [{ sha: shas.get(id)! }] : [])))
}

const meanVector = async (
  embedder: string,
  ids: readonly ChunkId[],
  index: IndexReader,
): Promise<Float32Array | null> => {
  const vectors = [...(await index.vectors(embedder, ids)).values()]
  if (vectors.length === 0) return null
  const sum = new Float32Array(vectors[0]!.length)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]!
  const length = Math.hypot(...sum) || 1
  return sum.map(value => value / length)
}

/** By the hunk that led here; else by one in the same file, else by the best that the commit has. */
const tell = async (
  sha: string,
  lead: StoredChunk | undefined,
  commits: readonly FileCommit[],
  terms: readonly WeighedTerm[],
  index: IndexReader,
): Promise<Omit<RelatedCommit, 'why' | 'score'> | null> => {
  const here = commits.find(commit => commit.sha === sha)?.hunks ?? []
  const [own, ...hunks] = lead ? [lead] : await index.chunksOf(sha)
  const hunk = lead ?? chooseHunk(here.length > 0 ? here : hunks, terms)?.hunk
  const chunk = hunk ?? own
  if (!chunk?.commit) return null
  return {
    ...factsOf({ facts: chunk.commit, hunkCount: chunk.siblings - 1 }),
    ...{ provenance: 'inferred', role: 'related', share: 0, lines: [], originalLines: [] },
    path: hunk?.path ?? '',
    startLine: chunk.startLine,
    endLine: chunk.endLine,
    symbol: hunk?.symbols[0]?.qualifiedName ?? null,
    change: hunk?.file?.change ?? null,
    ...(hunk?.file?.oldPath !== undefined && { oldPath: hunk.file.oldPath }),
    text: hunk?.text ?? '',
  }
}
