/** Reads Markdown into units: sections nest by the level of their headings, paragraphs and code blocks are their parts. */

import type { Outline } from './cut-text.js'
import { isBlank, rowText, type SourceText, sizeOf } from './source-text.js'
import type { Definition, Unit } from './unit.js'

export const outlineMarkdown = (source: SourceText): Outline => {
  const blocks = readBlocks(source)
  const definitions: Definition[] = []
  const units = nest(source, blocks, definitions)
  return { units, definitions }
}

/** A heading, a fenced block, or rows between blank rows. */
interface Block {
  readonly start: number
  readonly end: number
  readonly level: number
  readonly title: string
}

const LONGEST_HEADING = 1_000

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/

const readBlocks = (source: SourceText): Block[] => {
  const blocks: Block[] = []
  let open: number | undefined
  const close = (end: number): void => {
    if (open !== undefined) blocks.push({ start: open, end, level: 0, title: '' })
    open = undefined
  }
  for (let row = 0; row < source.rows; row += 1) {
    // No heading is that long; the patterns below are not made for lines of megabytes.
    const text = sizeOf(source, row, row) > LONGEST_HEADING ? 'text' : rowText(source, row)
    const last =
      row === 0 && text.trimEnd() === '---' ? endOfFrontMatter(source) : endOfFence(source, row, text)
    const heading = HEADING.exec(text)
    const underline = UNDERLINE.exec(text)
    if (last !== undefined) {
      close(row - 1)
      blocks.push({ start: row, end: last, level: 0, title: '' })
      row = last
    } else if (heading) {
      close(row - 1)
      const title = (heading[2] ?? '').replace(/(?:^|[ \t]+)#+[ \t]*$/, '')
      blocks.push({ start: row, end: row, level: heading[1]!.length, title })
    } else if (underline && open !== undefined && isParagraph(source, open)) {
      blocks.push({
        start: open,
        end: row,
        level: underline[1]!.startsWith('=') ? 1 : 2,
        title: rowText(source, row - 1),
      })
      open = undefined
    } else if (isBlank(source, row)) {
      close(row - 1)
    } else {
      open ??= row
    }
  }
  close(source.rows - 1)
  return blocks
}

/** The row that ends the fenced block which this row opens; a block that is never closed ends with the file. */
const endOfFence = (source: SourceText, row: number, text: string): number | undefined => {
  const fence = FENCE.exec(text)
  if (!fence || (fence[1]!.startsWith('`') && fence[2]!.includes('`'))) return undefined
  const closing = new RegExp(`^ {0,3}${fence[1]![0]}{${fence[1]!.length},}[ \\t]*$`)
  for (let at = row + 1; at < source.rows; at += 1) if (closing.test(rowText(source, at))) return at
  return source.rows - 1
}

const endOfFrontMatter = (source: SourceText): number | undefined => {
  for (let row = 1; row < source.rows; row += 1)
    if (/^(?:---|\.\.\.)\s*$/.test(rowText(source, row))) return row
  return undefined
}

/** Only a paragraph can be underlined: a list, a table, a quotation or indented code cannot. */
const isParagraph = (source: SourceText, row: number): boolean =>
  !/^(?: {4}|\t| {0,3}(?:[-*+>|]|\d+[.)][ \t]))/.test(rowText(source, row))

/** Puts sections into the sections above them. */
const nest = (source: SourceText, blocks: readonly Block[], definitions: Definition[]): Unit[] => {
  let at = 0
  const section = (level: number, containers: readonly string[]): Unit[] => {
    const units: Unit[] = []
    while (at < blocks.length) {
      const block = blocks[at]!
      if (block.level > 0 && block.level <= level) break
      at += 1
      const plain: Unit = { start: block.start, end: block.end, leading: false, definitions: [], parts: [] }
      const name = titleOf(block.title)
      if (block.level === 0) {
        units.push(plain)
        continue
      }
      const offset = source.offsets[block.start]!
      const qualifiedName = [...containers, name].join('.')
      const definition: Definition = { name, kind: 'heading', qualifiedName, offset, row: block.start }
      if (name) definitions.push(definition)
      const inner = section(block.level, name ? [...containers, name] : containers)
      units.push({
        ...plain,
        end: inner.at(-1)?.end ?? block.end,
        definitions: name ? [definition] : [],
        container: name ? definition : undefined,
        parts: [plain, ...inner],
      })
    }
    return units
  }
  return section(0, [])
}

/** A heading as it reads: without links, code marks and emphasis. */
const titleOf = (title: string): string =>
  title
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*]|(?<=^|\s)__?|__?(?=\s|$)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
