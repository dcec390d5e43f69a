/**
 * Cuts the output of `git diff-tree` into commits as it arrives, as bytes: a history is some hundred megabytes of diff, and
 * what is too large is let go piece by piece, never held whole. No line of a diff starts with NUL, `=` or `diff --git`, so
 * these mark a commit, a place behind one and a file in it.
 */

import type { Skipped, SkipReason } from '../../core/types.js'
import { readSectionHead, type SectionHead } from './diff-section.js'

export interface SplitOptions {
  /** The diff of one file. */
  readonly maxFileBytes: number
  /** All diffs of a commit. */
  readonly maxCommitBytes: number
  /** Of a commit that has more, the rest is not waited for. */
  readonly maxFiles?: number
  readonly judgePath: JudgePath
}

/** Whether a file is left out for its name, with a reason or, `ignored`, without a word; `wanted` is taken whatever it looks like. */
export type JudgePath = (
  path: string,
) => 'ignored' | 'wanted' | { readonly reason: SkipReason; readonly detail?: string } | undefined

export interface RawCommit {
  /** As `FORMAT` names them, each cut off at `LONGEST_FIELD`. */
  readonly fields: readonly Buffer[]
  readonly diff: Buffer
  readonly omitted: readonly Skipped[]
}

/** Git repeats a question that names no object: asked this behind a commit, it says that the commit is whole. */
export const END_MARK = '='
/** Id, times of commit and author, who wrote it, what it says. */
export const FORMAT = 'tformat:%x00%H%x00%ct%x00%at%x00%an%x00%ae%x00%B%x00'
const FIELDS = 6
export const LONGEST_FIELD = 65_536

const NUL = 0
const SECTION = Buffer.from('\ndiff --git ')
const END = Buffer.from(`\n${END_MARK}\n`)
const NEXT = Buffer.from('\n\0')
const HUNK = Buffer.from('\n@@ ')
const HEAD_BYTES = 16_384
const MOST_OMITTED = 1000
/** Ten levels of ten directories that are all the same are a kilobyte on disk and ten thousand million files. */
const MOST_FILES = 500_000
const EMPTY = Buffer.alloc(0)

export interface CommitSplitter {
  /** The commits that this piece completes, in order: those that a mark or another commit follows. */
  push(piece: Buffer): RawCommit[]
  /** The commit that is being read has more files than any commit should have. */
  isEndless(): boolean
  /** That commit, as far as it came. */
  cut(): RawCommit
}

export const commitSplitter = (options: SplitOptions): CommitSplitter => {
  const { maxFiles = MOST_FILES } = options
  let held: Buffer = EMPTY
  let state: 'between' | 'header' | 'diff' = 'between'
  let fields: Buffer[] = []
  let field: Buffer[] = []
  let fieldBytes = 0
  let commit = keepSections(options)

  const push = (piece: Buffer): RawCommit[] => {
    const done: RawCommit[] = []
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece])
    let at = 0
    const nextEnd = lookAhead(bytes, END)
    const nextCommit = lookAhead(bytes, NEXT)
    const nextSection = lookAhead(bytes, SECTION)
    for (;;) {
      if (state === 'between') {
        if (at === bytes.length) break
        if (bytes[at] === NUL) {
          state = 'header'
          at++
        } else {
          // A mark behind a commit that git does not know.
          if (bytes.length - at < 2) break
          at += 2
        }
      } else if (state === 'header') {
        const stop = bytes.indexOf(NUL, at)
        const part = bytes.subarray(at, stop < 0 ? bytes.length : stop)
        if (fieldBytes < LONGEST_FIELD) field.push(part.subarray(0, LONGEST_FIELD - fieldBytes))
        fieldBytes += part.length
        at += part.length
        if (stop < 0) break
        at++
        fields.push(field.length === 1 ? field[0]! : Buffer.concat(field))
        field = []
        fieldBytes = 0
        if (fields.length === FIELDS) state = 'diff'
      } else {
        const mark = nextEnd(at)
        const next = nextCommit(at)
        const isMarked = mark >= 0 && (next < 0 || mark < next)
        const finish = isMarked ? mark : next
        const section = nextSection(at)
        if (section >= 0 && (finish < 0 || section < finish)) {
          commit.append(bytes.subarray(at, section + 1))
          commit.open()
          at = section + 1
        } else if (finish >= 0) {
          commit.append(bytes.subarray(at, finish + 1))
          done.push({ fields, ...commit.close() })
          at = finish + (isMarked ? END.length : 1)
          commit = keepSections(options)
          fields = []
          state = 'between'
        } else {
          // The last bytes may be the beginning of a mark.
          const safe = Math.max(at, bytes.length - SECTION.length + 1)
          commit.append(bytes.subarray(at, safe))
          at = safe
          break
        }
      }
    }
    held = at === bytes.length ? EMPTY : bytes.subarray(at)
    return done
  }

  return {
    push,
    isEndless: () => commit.files() > maxFiles,
    cut: () => ({ fields, ...commit.close(`more than ${maxFiles} files`) }),
  }
}

/** Where a mark comes next. A place that was found is kept until it is passed: no byte is searched twice for one mark. */
const lookAhead = (bytes: Buffer, mark: Buffer): ((at: number) => number) => {
  let found = -2
  return at => {
    if (found !== -1 && found < at) found = bytes.indexOf(mark, at)
    return found
  }
}

/** No system could check out a file of a longer one. */
const LONGEST_PATH = 4096
const TOO_LONG = { reason: 'too-large', detail: `its path has more than ${LONGEST_PATH} characters` } as const

/** The sections of one commit: those worth keeping as bytes, the others by name and reason. */
const keepSections = ({ maxFileBytes, maxCommitBytes, judgePath }: SplitOptions) => {
  const kept: Buffer[] = []
  const omitted: Skipped[] = []
  let unlisted = 0
  let files = 0
  let total = 0
  let isOpen = false
  let section: Buffer[] = []
  let size = 0

  const omit = (path: string, reason: SkipReason, detail?: string): void => {
    if (omitted.length >= MOST_OMITTED) unlisted++
    else omitted.push({ path, reason, ...(detail === undefined ? {} : { detail }) })
  }

  const append = (part: Buffer): void => {
    if (!isOpen || part.length === 0) return
    const isOver = size > maxFileBytes
    size += part.length
    if (isOver) return
    section.push(part)
    if (size > maxFileBytes) section = [Buffer.from(headBytes(section))]
  }

  const finish = (): void => {
    if (!isOpen) return
    judge(headOf(section))
    section = []
    size = 0
  }

  const judge = ({ path, refusal, isModeOnly }: SectionHead): void => {
    const verdict = path.length > LONGEST_PATH ? TOO_LONG : judgePath(path)
    if (verdict === 'ignored') return
    const reason = refusal ?? (typeof verdict === 'object' ? verdict : undefined)
    if (reason) omit(path, reason.reason, reason.detail)
    else if (size > maxFileBytes) omit(path, 'too-large', `${size} bytes of diff`)
    else if (total + size > maxCommitBytes)
      omit(path, 'too-large', `beyond ${maxCommitBytes} bytes of one commit`)
    else if (verdict !== 'wanted' && isMinified(section, size))
      omit(path, 'minified', 'few lines for its size')
    else if (!isModeOnly) {
      kept.push(...section)
      total += size
    }
  }

  return {
    append,
    open: (): void => {
      finish()
      isOpen = true
      files++
    },
    files: (): number => files,
    close: (why?: string): { diff: Buffer; omitted: Skipped[] } => {
      finish()
      const detail = why ?? (unlisted === 0 ? undefined : `${unlisted} more files`)
      const last: Skipped[] = detail === undefined ? [] : [{ path: '*', reason: 'too-large', detail }]
      return { diff: kept.length === 1 ? kept[0]! : Buffer.concat(kept), omitted: [...omitted, ...last] }
    },
  }
}

const headBytes = (section: readonly Buffer[]): Buffer => {
  const first = section[0] ?? EMPTY
  const bytes =
    first.length >= HEAD_BYTES || section.length === 1
      ? first
      : Buffer.concat(section).subarray(0, HEAD_BYTES)
  const hunk = bytes.indexOf(HUNK)
  return bytes.subarray(0, hunk < 0 ? HEAD_BYTES : Math.min(hunk, HEAD_BYTES))
}

const headOf = (section: readonly Buffer[]): SectionHead =>
  readSectionHead(headBytes(section).toString('utf8'))

/** As for files of the work tree, but lines of a diff come with others around them. */
const LONGEST_MEAN_LINE = 500
const SMALLEST_MINIFIED = 8192

const isMinified = (section: readonly Buffer[], size: number): boolean => {
  if (size < SMALLEST_MINIFIED) return false
  const enough = size / LONGEST_MEAN_LINE
  let lines = 0
  for (const part of section)
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) if (++lines > enough) return false
  return true
}
