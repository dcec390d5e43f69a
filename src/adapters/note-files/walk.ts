/** Which files a path means: itself, or those below it that look like notes. Links below it are not followed. */

import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { NoteFormat } from './draft.js'

export interface FoundFile {
  readonly path: string
  readonly name: string
  /** Named by the caller, not met on the way. */
  readonly isNamed: boolean
}

/** By the end of the name. A `.json` file is looked into. */
export const FORMAT_OF: ReadonlyMap<string, NoteFormat | 'json'> = new Map([
  ...(['.md', '.markdown', '.mdx'] as const).map(ending => [ending, 'markdown'] as const),
  ...(['.txt', '.text', '.org', '.rst'] as const).map(ending => [ending, 'text'] as const),
  ...(['.jsonl', '.ndjson'] as const).map(ending => [ending, 'jsonl'] as const),
  ['.json', 'json'],
])

export function* filesAt(given: string): Generator<FoundFile> {
  let path: string
  try {
    path = realpathSync(given)
  } catch (cause) {
    throw new QuarryError('BAD_PATH', `There is nothing at ${given}`, {
      hint: 'quarry notes add DIR|FILE',
      cause,
    })
  }
  // A name that was typed may be a link; from there on none is followed.
  if (lstatSync(path).isDirectory()) yield* below(path, basename(path))
  else yield { path, name: basename(path), isNamed: true }
}

function* below(directory: string, name: string): Generator<FoundFile> {
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name)
    const below_ = `${name}/${entry.name}`
    // What begins with a dot is the business of some program, not of a reader.
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    if (entry.isDirectory()) yield* below(path, below_)
    else if (FORMAT_OF.has(extname(entry.name).toLowerCase())) yield { path, name: below_, isNamed: false }
  }
}

const entriesOf = (directory: string): readonly Dirent[] =>
  readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
