/**
 * Follows lines backwards through the hunks of their file: which commits touched what stood there before. By the order of the
 * commits in time, as if history were one line; hence what it finds is inferred. Pure.
 */

import type { LineSpan } from '../../core/explanation.js'
import type { StoredChunk } from '../../core/types.js'
import { type HunkBlock, hunkBlocks } from '../../text/hunk-lines.js'

/** The hunks of one commit in the file. */
export interface FileCommit {
  readonly sha: string
  readonly time: number
  readonly hunks: readonly StoredChunk[]
}

/** What stood before the lines that this hunk wrote; where it wrote between two lines, those two. */
export const linesBefore = (hunk: string, written: readonly LineSpan[]): LineSpan[] =>
  hunkBlocks(hunk)
    .filter(({ after }) => after.count > 0 && overlaps(written, after.start, after.start + after.count - 1))
    .map(
      ({ before: { start, count } }): LineSpan =>
        count > 0 ? [start, start + count - 1] : [Math.max(1, start - 1), start],
    )

/** The hunks that touched these lines or what they were before, newest first; `commits` come newest first too. */
export const touchedBefore = (
  commits: readonly FileCommit[],
  lines: readonly LineSpan[],
  limit: number,
): StoredChunk[] => {
  const found: StoredChunk[] = []
  let spans = lines
  for (const { hunks } of commits) {
    if (spans.length === 0 || found.length >= limit) break
    const blocks = hunks.flatMap(hunk => blocksOf(hunk).map(block => ({ hunk, block })))
    const touching = blocks.find(({ block }) => touches(block, spans))
    if (touching) found.push(touching.hunk)
    spans = spans.flatMap(span =>
      beforeBlocks(
        span,
        blocks.map(({ block }) => block),
      ),
    )
  }
  return found
}

/** Every way backwards leads through the same hunks. */
const read = new WeakMap<StoredChunk, HunkBlock[]>()
const blocksOf = (hunk: StoredChunk): HunkBlock[] => {
  const known = read.get(hunk) ?? hunkBlocks(hunk.text)
  read.set(hunk, known)
  return known
}

const overlaps = (spans: readonly LineSpan[], start: number, end: number): boolean =>
  spans.some(([from, to]) => from <= end && start <= to)

const touches = ({ after: { start, count } }: HunkBlock, spans: readonly LineSpan[]): boolean =>
  count > 0
    ? overlaps(spans, start, start + count - 1)
    : // Lines were taken out between these two.
      spans.some(([from, to]) => from < start && start <= to)

/** Where the lines stood before these changes; nowhere if one of them brought them all. */
const beforeBlocks = ([from, to]: LineSpan, blocks: readonly HunkBlock[]): LineSpan[] => {
  let [start, end] = [from, to]
  for (const { before, after } of blocks) {
    const last = after.start + after.count - 1
    const shift = before.count - after.count
    if (last < from) start += shift
    else if (after.start <= from) start = before.start
    if (last < to) end += shift
    else if (after.start <= to) end = before.start + before.count - 1
  }
  return start <= end && end > 0 ? [[Math.max(1, start), end]] : []
}
