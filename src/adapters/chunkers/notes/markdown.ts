/** Markdown by heading: each section is a chunk under its trail of headings, cut further where it is long. */

import type { Chunk, CodeSymbol } from '../../../core/types.js'
import { cutLines } from './cut-lines.js'

interface Heading {
  readonly level: number
  readonly name: string
  readonly line: number
}

interface Section {
  /** From the outermost on, its own heading last. */
  readonly trail: readonly Heading[]
  readonly startLine: number
  readonly lines: readonly string[]
}

export const cutMarkdown = (path: string, lines: readonly string[]): readonly Chunk[] =>
  sectionsOf(lines).flatMap(section => {
    const { trail, startLine } = section
    const names = trail.map(({ name }) => name)
    const own = trail.filter(({ line }) => line >= startLine)
    return cutLines(section.lines, startLine).map(piece => ({
      ...piece,
      header: [path, ...names].join(' :: '),
      symbols: (own.length > 0 ? own : trail.slice(-1)).map(heading => symbolOf(heading, names)),
      fields: { body: piece.text, header: names.join('\n'), path, symbols: names.slice(-1).join('\n') },
    }))
  })

/** A heading with nothing below it but the next, deeper heading belongs to that one's section. */
const sectionsOf = (lines: readonly string[]): readonly Section[] => {
  const headings = headingsIn(lines)
  const sections: Section[] = []
  let trail: Heading[] = []
  let start = 0
  const close = (end: number): void => {
    if (end > start) sections.push({ trail, startLine: start + 1, lines: lines.slice(start, end) })
    start = end
  }
  for (const [position, heading] of headings.entries()) {
    const before = headings[position - 1]
    const isBare =
      before !== undefined &&
      before.level < heading.level &&
      lines.slice(before.line + (isUnderlined(lines, before) ? 1 : 0), heading.line - 1).every(isBlank)
    if (!isBare) close(heading.line - 1)
    trail = [...trail.filter(({ level }) => level < heading.level), heading]
  }
  close(lines.length)
  return sections
}

const isBlank = (line: string): boolean => line.trim() === ''
const isUnderlined = (lines: readonly string[], { line }: Heading): boolean =>
  !/^ {0,3}#/.test(lines[line - 1]!) && UNDERLINE.test(lines[line] ?? '')

const HASHES = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*\r?$/
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*\r?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Not inside a fence, where `#` begins a comment, nor in the front matter. */
const headingsIn = (lines: readonly string[]): readonly Heading[] => {
  const headings: Heading[] = []
  let fence = ''
  for (let at = frontMatterEnd(lines); at < lines.length; at++) {
    const line = lines[at]!
    const [, mark = ''] = FENCE.exec(line) ?? []
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      continue
    }
    fence = mark
    const [, hashes, name = ''] = HASHES.exec(line) ?? []
    if (hashes !== undefined && name !== '') headings.push({ level: hashes.length, name, line: at + 1 })
    const [, rule] = UNDERLINE.exec(line) ?? []
    const above = lines[at - 1]?.trim() ?? ''
    if (rule !== undefined && isTitle(above, lines[at - 2]))
      headings.push({ level: rule.startsWith('=') ? 1 : 2, name: above, line: at })
  }
  return headings
}

/** One line of words on its own: a table or a list above a rule is none. */
const isTitle = (above: string, before: string | undefined): boolean =>
  above !== '' && (before === undefined || isBlank(before)) && !/^[-*+>|#]|^\d+[.)]/.test(above)

/** The line behind `---` … `---`, 0 where there is none. */
export const frontMatterEnd = (lines: readonly string[]): number => {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.slice(1, 200).findIndex(line => /^(?:---|\.\.\.)\s*$/.test(line))
  return end === -1 ? 0 : end + 2
}

const symbolOf = ({ name, line }: Heading, names: readonly string[]): CodeSymbol => ({
  name,
  kind: 'heading',
  qualifiedName: names.slice(0, names.indexOf(name) + 1).join(' › ') || name,
  line,
})
