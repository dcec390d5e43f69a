/** `quarry init --agents`: a few lines in AGENTS.md between two marks. What else stands there stays byte for byte. */

import { join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { guide } from '../guide.js'
import { differing, readPlainFile, writeWhole } from './plain-file.js'

export interface AgentsFileChange {
  readonly file: string
  readonly change: 'added' | 'changed' | 'removed' | 'none'
  readonly diff: readonly string[]
}

const BEGIN = '<!-- >>> quarry init --agents -->'
const END = '<!-- <<< quarry init --agents -->'
const NAME = 'AGENTS.md'

export const editAgentsFile = (options: {
  readonly root: string
  readonly remove: boolean
  readonly dryRun: boolean
}): AgentsFileChange => {
  const file = join(options.root, NAME)
  const before = readPlainFile(file, options.root, `copy the lines of: quarry init --agents --dry-run`)
  const text = before ?? ''
  const after = options.remove ? without(text, file) : withBlock(text, file)
  const isSame = after === text
  // A file that held nothing but our lines goes with them.
  if (!isSame && !options.dryRun) writeWhole(file, after === '' ? null : after, options.root)
  const isThere = blockIn(text, file) !== null
  return {
    file,
    change: isSame ? 'none' : options.remove ? 'removed' : isThere ? 'changed' : 'added',
    diff: isSame ? [] : differing(text, after),
  }
}

const withBlock = (text: string, file: string): string => {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const body = `${BEGIN}\n## Searching this repository\n\n${guide()}\n${END}`.replaceAll('\n', newline)
  const found = blockIn(text, file)
  if (found) return text.slice(0, found.start) + body + text.slice(found.end)
  // A text without a last newline gets none but the one that parts it from the lines: so taking them out can tell.
  return `${text}${text === '' ? '' : newline}${body}${newline}`
}

const without = (text: string, file: string): string => {
  const found = blockIn(text, file)
  if (found === null) return text
  const behind = text.slice(found.end).replace(/^\r?\n/, '')
  const ahead = text.slice(0, found.start)
  return (behind === '' ? ahead.replace(/\r?\n$/, '') : ahead) + behind
}

const blockIn = (text: string, file: string): { readonly start: number; readonly end: number } | null => {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (start === -1 && end === -1) return null
  const isWhole =
    start !== -1 && end > start && start === text.lastIndexOf(BEGIN) && end === text.lastIndexOf(END)
  if (isWhole) return { start, end: end + END.length }
  throw new QuarryError('BAD_CONFIG', `${file} was left as it is: the marks of Quarry in it do not match`, {
    hint: `delete the lines with "quarry init --agents" by hand, then try again`,
  })
}
