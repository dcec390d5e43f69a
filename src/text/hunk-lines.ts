/** Reads a hunk of a unified diff line by line, with the number each line has before and after the change. Pure. */

export interface HunkLine {
  /** What the line is: `+` only after, `-` only before, blank on both sides. */
  readonly sign: '+' | '-' | ' '
  /** Counted from 1; of a line that is not on this side, the number of the next one that is. */
  readonly before: number
  readonly after: number
}

/** Lines that were exchanged for others; either side may have none, and then `start` is where they would stand. */
export interface HunkBlock {
  readonly before: { readonly start: number; readonly count: number }
  readonly after: { readonly start: number; readonly count: number }
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** One entry for each line of the text; null for the head and for remarks of git. Empty where it is no hunk. */
export const hunkLines = (text: string): (HunkLine | null)[] => {
  const [head, oldStart, oldCount, newStart, newCount] = HEAD.exec(text) ?? []
  if (head === undefined) return []
  // A side without lines is named by the line before it.
  let before = Number(oldStart) + (oldCount === '0' ? 1 : 0)
  let after = Number(newStart) + (newCount === '0' ? 1 : 0)
  const [, ...lines] = text.replace(/\n$/, '').split('\n')
  return [
    null,
    ...lines.map((line): HunkLine | null => {
      if (line.startsWith('\\')) return null
      const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' '
      const place = { sign, before, after } as const
      if (sign !== '+') before++
      if (sign !== '-') after++
      return place
    }),
  ]
}

export const hunkBlocks = (text: string): HunkBlock[] => {
  const blocks: { before: { start: number; count: number }; after: { start: number; count: number } }[] = []
  let isOpen = false
  for (const line of hunkLines(text)) {
    if (line === null) continue
    if (line.sign === ' ') {
      isOpen = false
      continue
    }
    if (!isOpen)
      blocks.push({ before: { start: line.before, count: 0 }, after: { start: line.after, count: 0 } })
    isOpen = true
    blocks.at(-1)![line.sign === '+' ? 'after' : 'before'].count++
  }
  return blocks
}
