/** Which version of a file is explained: the work tree's, that of a revision, or the last one of a file that is gone. */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { blobAt, fileAt } from '../../adapters/git/file-at.js'
import { resolveRevision } from '../../adapters/git/revision.js'
import type { Repository } from '../../adapters/git/shadow.js'
import type { Warning } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import { matchLines } from '../../text/match-lines.js'
import { type AskedFile, readWorkFile } from './path.js'

export interface Version {
  /** The commit that knows where the lines come from; null before the file was ever committed. */
  readonly rev: string | null
  /** What the answer is about; null for the work tree. */
  readonly at: string | null
  /** How many lines it has; null until git has said so. */
  readonly lineCount: number | null
  /** For each line its number at `rev`, 0 where it is not committed yet; several may be one to git. Null when all numbers are the same. */
  readonly matches: Uint32Array | null
  /** The commit that took the file away. */
  readonly removedBy: string | null
  readonly warnings: readonly Warning[]
}

export interface VersionRequest {
  readonly root: string
  readonly at?: string
  readonly ignoreWhitespace: boolean
  /** Asked only where neither the work tree nor HEAD has the file. */
  readonly findDeletion: (head: string) => Promise<string | null>
  readonly signal?: AbortSignal
}

export const chooseVersion = async (
  repository: Repository,
  asked: AskedFile,
  request: VersionRequest,
): Promise<Version> => {
  const plain = { lineCount: null, matches: null, removedBy: null, warnings: [] }
  if (request.at !== undefined) {
    const rev = await resolveRevision(repository, request.at)
    return { ...plain, rev, at: rev }
  }
  const abort = request.signal ? { signal: request.signal } : {}
  const { head } = repository.facts
  const bytes = await readWorkFile(asked, request.root)
  const blob = head === null ? null : await blobAt(repository, head, asked.gitPath, abort)
  if (bytes !== null) return inWorkTree(repository, asked, bytes, blob?.id ?? null, request)
  if (blob !== null) {
    const message = `${asked.path} is not in the work tree: this is the version of the last commit`
    const warnings = repository.kind === 'bare' ? [] : [{ code: 'NOT_IN_WORK_TREE', message }]
    return { ...plain, rev: head, at: head, warnings }
  }
  const removedBy = head === null ? null : await request.findDeletion(head)
  const before = removedBy === null ? null : await resolveRevision(repository, `${removedBy}^`)
  if (before === null || (await blobAt(repository, before, asked.gitPath, abort)) === null)
    throw new QuarryError('BAD_PATH', `There is no file ${asked.path}, and history knows of none`, {
      hint: 'quarry explain FILE --at REVISION looks at another branch or tag',
    })
  return { ...plain, rev: before, at: before, removedBy }
}

const inWorkTree = async (
  repository: Repository,
  { path, gitPath }: AskedFile,
  bytes: Buffer,
  blob: string | null,
  { ignoreWhitespace, signal }: VersionRequest,
): Promise<Version> => {
  if (bytes.subarray(0, 8000).includes(0))
    throw new QuarryError('BAD_PATH', `${path} is not text`, { hint: `git log --follow -- ${path}` })
  const { head, objectFormat } = repository.facts
  const version = { at: null, removedBy: null, warnings: [] }
  if (blob === hashOf(bytes, objectFormat) && !isOneLineToGit(bytes))
    return { ...version, rev: head, lineCount: countLines(bytes), matches: null }
  const lines = linesOf(
    isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes),
  )
  const lineCount = lines.length
  const committed = blob === null ? null : await fileAt(repository, head!, gitPath, signal ? { signal } : {})
  if (committed === null) {
    const message = `${path} is not in the last commit`
    const warning = { code: 'NOT_COMMITTED', message, hint: `git log --follow -- ${path}` }
    return { ...version, rev: null, lineCount, matches: new Uint32Array(lineCount), warnings: [warning] }
  }
  const keys = ignoreWhitespace ? (line: string) => line.replace(/\s+/g, '') : (line: string) => line
  const matches = matchLines(linesOf(committed.text).map(keys), lines.map(keys))
  const isOneLine = isOneLineToGit(Buffer.from(committed.text))
  return {
    ...version,
    rev: head,
    lineCount,
    matches: isOneLine ? matches.map(line => Math.min(line, 1)) : matches,
  }
}

/** A file that knows no other line end than a lone CR: editors and the index see lines where git sees none. */
const isOneLineToGit = (bytes: Buffer): boolean => bytes.includes(13) && !bytes.includes(10)

/** Line ends of the other kind are git's doing, not the author's. */
const linesOf = (text: string): string[] => {
  const lines = text
    .split(text.includes('\n') ? '\n' : '\r')
    .map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const countLines = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return bytes.length > 0 && bytes.at(-1) !== 10 ? count + 1 : count
}

const hashOf = (bytes: Buffer, format: 'sha1' | 'sha256'): string =>
  createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
