/** What search and similar have in common: the request their flags make, and how an answer is handed over. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Answer } from '../../core/answers.js'
import type { Quarry, SearchRequest } from '../../index.js'
import { answerJson, hitLines } from '../../present/json.js'
import { answerMarkdown } from '../../present/markdown.js'
import {
  closingLine,
  expansionText,
  isAboutVectors,
  understoodText,
  warningText,
} from '../../present/talk.js'
import { answerText } from '../../present/text.js'
import { filterOf, formatOf, type SearchFlags } from '../flags.js'
import type { Surroundings } from '../program.js'
import { progressView } from '../progress.js'
import type { Terminal } from '../terminal.js'

/** Taking in a few changed files takes less than this and is not worth a word. */
const PATIENCE_MS = 300

/** Asks with progress shown. Whoever asked first in a directory has indexed it: its slow vectors are still to be made. */
export const askWith = async (
  request: SearchRequest,
  flags: SearchFlags,
  { terminal, signal }: Surroundings,
  ask: (request: SearchRequest) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly hasIndexed: boolean }> => {
  const style = formatOf(flags) === 'text' || terminal.talksToTerminal ? 'auto' : 'none'
  const view = progressView(style, terminal, PATIENCE_MS)
  let hasIndexed = false
  const answer = await ask({
    ...request,
    signal,
    onProgress: progress => {
      hasIndexed = true
      view.show(progress)
    },
  }).finally(view.clear)
  return { answer, hasIndexed }
}

/** Made before the engine is opened: flags that contradict each other cost nobody a wait. */
export const requestOf = (flags: SearchFlags): SearchRequest => ({
  ...(flags.limit !== undefined && { limit: flags.limit }),
  filter: filterOf(flags),
  ...(flags.lines && { lines: flags.lines }),
  ...(flags.query && { queries: flags.query }),
  explain: flags.explain ?? false,
  exactSymbols: true,
  refresh: flags.refresh ? 'auto' : 'never',
})

/** Prints the answer; the exit code says whether anything was found. */
export const handOver = async (
  answer: Answer,
  quarry: Quarry,
  flags: SearchFlags,
  terminal: Terminal,
): Promise<number> => {
  const format = formatOf(flags)
  await terminal.print(render(answer, format, quarry.root, flags, terminal))
  const said = [
    ...quarry.warnings,
    ...(format === 'json' ? [] : answer.warnings.filter(warning => !isAboutVectors(warning))),
  ]
  terminal.talk(warningText(said, terminal.paint))
  if (format !== 'json')
    terminal.talk(understoodText(answer, terminal.paint) + expansionText(answer, terminal.paint))
  if (format === 'text' || format === 'markdown')
    terminal.talk(`${terminal.paint.faint(closingLine(answer))}\n`)
  return answer.hits.length > 0 ? 0 : 1
}

const render = (
  answer: Answer,
  format: ReturnType<typeof formatOf>,
  root: string,
  { detail }: SearchFlags,
  { colour, interactive }: Terminal,
): string => {
  if (format === 'json') return answerJson(answer)
  if (format === 'jsonl') return hitLines(answer)
  if (format === 'markdown') return answerMarkdown(answer, { detail })
  const link = (path: string, line: number): string =>
    `${pathToFileURL(join(root, path)).href}${readsLines(process.env) ? `#${line}` : ''}`
  return answerText(answer, { detail, colour, ...(interactive && { link }) })
}

/** Terminals that take the number behind a file for a line; others would look for a file of that name. */
const readsLines = ({ TERM = '', TERM_PROGRAM = '' }: NodeJS.ProcessEnv): boolean =>
  TERM.includes('kitty') || TERM_PROGRAM === 'vscode' || TERM_PROGRAM === 'iTerm.app'
