/** Lines of prose into pieces of about the same size, at paragraphs where there are any. */

export interface Piece {
  readonly startLine: number
  readonly endLine: number
  readonly text: string
}

/** About two hundred words: what an embedder reads in one go. */
const AIM = 1_200
/** A line that is longer is cut within; its pieces have the same number. */
const LONGEST_LINE = 4 * AIM

/** `first` is the number of the first line. Every line that is not blank is in exactly one piece, or in several if it is long. */
export const cutLines = (lines: readonly string[], first: number): readonly Piece[] => {
  const pieces: Piece[] = []
  let start = 0
  let size = 0
  const close = (end: number): void => {
    const piece = trimmed(lines, start, end, first)
    if (piece) pieces.push(...withoutLongLines(piece))
    start = end
    size = 0
  }
  for (const [at, line] of lines.entries()) {
    const isBreak = line.trim() === ''
    // Past the aim the next paragraph begins a piece; far past it, the next line does.
    if (size >= AIM && (isBreak || size >= 2 * AIM)) close(at)
    else if (isBreak && size + paragraphAt(lines, at + 1) > AIM && size > AIM / 3) close(at)
    if (line.length > LONGEST_LINE) {
      close(at)
      size = line.length
      close(at + 1)
    } else size += line.length + 1
  }
  close(lines.length)
  return pieces
}

/** The length of the paragraph that begins here, as far as it matters. */
const paragraphAt = (lines: readonly string[], start: number): number => {
  let size = 0
  for (let at = start; at < lines.length && size <= AIM; at++) {
    if (lines[at]!.trim() === '' && size > 0) break
    size += lines[at]!.length
  }
  return size
}

const trimmed = (lines: readonly string[], start: number, end: number, first: number): Piece | null => {
  let from = start
  let to = end
  while (from < to && lines[from]!.trim() === '') from++
  while (to > from && lines[to - 1]!.trim() === '') to--
  if (from === to) return null
  return { startLine: first + from, endLine: first + to - 1, text: lines.slice(from, to).join('\n') }
}

const withoutLongLines = (piece: Piece): readonly Piece[] => {
  if (piece.startLine !== piece.endLine || piece.text.length <= LONGEST_LINE) return [piece]
  const parts: Piece[] = []
  for (let at = 0; at < piece.text.length; ) {
    const end = breakAfter(piece.text, at)
    const text = piece.text.slice(at, end)
    if (text.trim() !== '') parts.push({ ...piece, text })
    at = end
  }
  return parts
}

/** Behind a blank near the aim, and never inside a surrogate pair. */
const breakAfter = (text: string, start: number): number => {
  const aim = start + AIM
  if (aim >= text.length) return text.length
  const blank = text.lastIndexOf(' ', aim)
  if (blank > start + AIM / 2) return blank + 1
  return (text.charCodeAt(aim) & 0xfc00) === 0xdc00 ? aim + 1 : aim
}
