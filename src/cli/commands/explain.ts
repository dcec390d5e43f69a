/** `quarry explain`: why lines of a file look the way they do. */

import { QuarryError } from '../../core/errors.js'
import type { Explanation, LinesPlace } from '../../index.js'
import { explanationJson } from '../../present/explain-json.js'
import { explanationMarkdown } from '../../present/explain-markdown.js'
import { explanationSummary, explanationText } from '../../present/explain-text.js'
import { warningText } from '../../present/talk.js'
import type { Detail } from '../../present/text.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import { plainPlace } from '../plain-place.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly at?: string
  readonly limit?: number
  readonly ignoreWhitespace?: boolean
  readonly related: boolean
  readonly format?: 'text' | 'json' | 'markdown'
  readonly detail: Detail
  readonly trust?: boolean
}

export const runExplain = async (
  text: string | undefined,
  flags: Flags,
  { terminal, signal }: Surroundings,
): Promise<number> => {
  const place = parseLines(text)
  const { at, limit, ignoreWhitespace = false, related, detail } = flags
  const format = flags.json ? 'json' : (flags.format ?? 'text')
  return withQuarry(flags, async quarry => {
    const explanation = await quarry.explain(place, {
      ...(at !== undefined && { at }),
      ...(limit !== undefined && { limit }),
      ...{ ignoreWhitespace, related, signal },
    })
    const { colour, paint } = terminal
    if (format === 'json') await terminal.print(explanationJson(explanation))
    else if (format === 'markdown') await terminal.print(explanationMarkdown(explanation, { detail }))
    else await terminal.print(explanationText(explanation, { detail, colour }))
    const said = [...quarry.warnings, ...(format === 'json' ? [] : explanation.warnings)]
    terminal.talk(warningText(said, paint))
    if (format !== 'json') terminal.talk(`${paint.faint(explanationSummary(explanation))}\n`)
    return isFound(explanation) ? 0 : 1
  })
}

const isFound = ({ exact }: Explanation): boolean => exact.length > 0

/** `FILE`, `FILE:10` or `FILE:10-20`, and what others write for it. Digits behind the last colon are lines, never part of the name. */
const parseLines = (text: string | undefined): LinesPlace => {
  const refuse = (message: string): never => {
    throw new QuarryError('BAD_INPUT', message, { hint: 'quarry explain src/http/retry.ts:10-20' })
  }
  if (text === undefined || text === '') return refuse('The file is missing')
  const [, path, range] = /^(.+):([\d,–-]+)$/s.exec(plainPlace(text)) ?? []
  if (path === undefined || range === undefined) return { path: text }
  const [, start, end = start] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range) ?? []
  if (start === undefined || Number(start) < 1 || Number(end) < Number(start))
    return refuse(`${range} is no range of lines`)
  return { path, startLine: Number(start), endLine: Number(end) }
}
