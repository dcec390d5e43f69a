/** The exact part of an explanation: what git itself says of the lines. Needs no index. */

import { type BlamedLines, blame } from '../../adapters/git/blame.js'
import { type GoneLines, linesGone } from '../../adapters/git/lines-gone.js'
import type { Repository } from '../../adapters/git/shadow.js'
import type { Warning } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { Explanation, LineSpan } from '../../core/explanation.js'
import {
  type AskedLines,
  askedLines,
  checkBlamed,
  countOf,
  groupBlamed,
  groupGone,
  type LineGroup,
  rangesToBlame,
  uncommittedLines,
} from './lines.js'
import type { AskedFile } from './path.js'
import type { Version } from './version.js'

export interface ExactRequest {
  readonly place: { readonly startLine?: number; readonly endLine?: number }
  /** Say which commit after the revision changed the lines. */
  readonly isOldRevision: boolean
  readonly ignoreWhitespace: boolean
  readonly signal?: AbortSignal
}

export interface ExactLines {
  readonly asked: AskedLines
  /** What took lines away, then what wrote them; newest first in each. */
  readonly removed: readonly LineGroup[]
  readonly wrote: readonly LineGroup[]
  readonly uncommitted: Explanation['uncommitted']
  readonly warnings: readonly Warning[]
}

export const exactLines = async (
  repository: Repository,
  file: AskedFile,
  version: Version,
  request: ExactRequest,
): Promise<ExactLines> => {
  const known = askedLines(file.path, request.place, version)
  const blamed = await blameVersion(repository, file, version, known, request)
  const asked = version.lineCount === null ? checkBlamed(file.path, known, blamed) : known!
  const total = asked.end - asked.start + 1
  const missing = uncommittedLines(asked, version)
  const gone = request.isOldRevision
    ? await goneLines(repository, file, version, asked, request)
    : { lines: [], warnings: [] }
  return {
    asked,
    wrote: groupBlamed(blamed, version, asked),
    removed: version.removedBy === null ? groupGone(gone.lines) : [wholeFile(version.removedBy, file, asked)],
    uncommitted: missing.length === 0 ? null : { share: countOf(missing) / total, lines: missing },
    warnings: [...gone.warnings, ...endOfHistory(repository, blamed)],
  }
}

const blameVersion = async (
  repository: Repository,
  { gitPath }: AskedFile,
  version: Version,
  asked: AskedLines | null,
  { ignoreWhitespace, signal }: ExactRequest,
): Promise<readonly BlamedLines[]> => {
  const spans = asked === null ? null : rangesToBlame(asked, version)
  if (version.rev === null || spans?.length === 0) return []
  return blame(repository, {
    ...{ rev: version.rev, path: gitPath, ignoreWhitespace },
    ...(spans && { ranges: spans.map(toRange) }),
    ...(signal && { signal }),
  })
}

const toRange = ([start, end]: LineSpan) => ({ start, end })

/** What came after is worth knowing, but not worth failing for. */
const goneLines = async (
  repository: Repository,
  { gitPath }: AskedFile,
  { rev }: Version,
  { start, end }: AskedLines,
  { ignoreWhitespace, signal }: ExactRequest,
): Promise<{ readonly lines: readonly GoneLines[]; readonly warnings: readonly Warning[] }> => {
  const { head } = repository.facts
  if (head === null || rev === null) return { lines: [], warnings: [] }
  const unknown = (why: string) => ({
    lines: [],
    warnings: [{ code: 'LATER_UNKNOWN', message: `What became of these lines later is not known: ${why}` }],
  })
  try {
    const request = { from: rev, to: head, path: gitPath, ranges: [{ start, end }], ignoreWhitespace }
    const lines = await linesGone(repository, signal ? { ...request, signal } : request)
    return lines === null ? unknown('HEAD does not come after that revision') : { lines, warnings: [] }
  } catch (error) {
    if (!(error instanceof QuarryError) || signal?.aborted) throw error
    return unknown(error.message)
  }
}

/** The commit that took the file away took every line. */
const wholeFile = (sha: string, { gitPath }: AskedFile, { start, end }: AskedLines): LineGroup => ({
  ...{ sha, committed: 0, role: 'gone', lines: [[start, end]], count: end - start + 1 },
  places: [{ path: gitPath, lines: [[start, end]] }],
})

const endOfHistory = (repository: Repository, blamed: readonly BlamedLines[]): readonly Warning[] => {
  if (!repository.facts.shallow) return []
  const ends = new Set(repository.shallowCommits())
  if (!blamed.some(({ sha, boundary }) => boundary && ends.has(sha))) return []
  const message = 'The clone is shallow: lines of its oldest commit may be older'
  return [{ code: 'SHALLOW', message, hint: 'git fetch --unshallow' }]
}
