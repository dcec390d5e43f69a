/**
 * A text as rows: what the chunker counts in. Rows are counted from 0 here and become lines from 1 when a chunk is made,
 * so that they equal what git and editors show.
 */

/** A text with the offsets of its rows. */
export interface SourceText {
  readonly text: string
  /** Offset of each row, and one more entry that stands one character behind the last row. */
  readonly offsets: readonly number[]
  readonly rows: number
}

/**
 * Drops the byte order mark and makes every line end `\n`. A lone `\r` is text, as it is for git, unless the file knows no
 * other line end.
 */
export const normaliseLineEnds = (text: string): string => {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (!bare.includes('\r')) return bare
  return bare.includes('\n') ? bare.replaceAll('\r\n', '\n') : bare.replaceAll('\r', '\n')
}

export const sourceText = (text: string): SourceText => {
  const offsets = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) offsets.push(at + 1)
  // A final line end closes the last line; it does not open another one.
  if (offsets.at(-1) !== text.length) offsets.push(text.length + 1)
  return { text, offsets, rows: offsets.length - 1 }
}

/** The row that holds an offset. */
export const rowAt = ({ offsets, rows }: SourceText, offset: number): number => {
  let low = 0
  let high = rows - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (offsets[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Offset just behind the last character of a row, line end excluded. */
export const endOf = ({ offsets }: SourceText, row: number): number => offsets[row + 1]! - 1

/** Characters from the start of one row to the end of another. */
export const sizeOf = (source: SourceText, start: number, end: number): number =>
  endOf(source, end) - source.offsets[start]!

export const rowText = (source: SourceText, row: number): string =>
  source.text.slice(source.offsets[row]!, endOf(source, row))

export const isBlank = (source: SourceText, row: number): boolean => {
  const first = source.text.charCodeAt(source.offsets[row]!)
  return first > 32 && first < 127 ? false : rowText(source, row).trim() === ''
}
