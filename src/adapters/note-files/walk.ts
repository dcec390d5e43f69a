/** Which files a path means: itself, or those below it that look like notes. Links below it are not followed. */

import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import type { NoteFormat } from './draft.js'

export interface FoundFile {
  readonly path: string
  readonly name: string
  /** Why it cannot be read, where that is known already. */
  readonly problem?: string
}

/** Deeper than any notes; what is deeper is a trap. */
const DEEPEST = 100

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
  if (lstatSync(path).isDirectory()) yield* below(path, basename(path), 1)
  else yield { path, name: basename(path) }
}

function* below(directory: string, name: string, depth: number): Generator<FoundFile> {
  const entries = entriesOf(directory)
  if (typeof entries === 'string' || depth > DEEPEST) {
    yield { path: directory, name, problem: typeof entries === 'string' ? entries : 'it lies too deep' }
    return
  }
  for (const entry of entries) {
    const path = join(directory, entry.name)
    const named = `${name}/${entry.name}`
    // What begins with a dot is the business of some program, not of a reader.
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    if (entry.isDirectory()) yield* below(path, named, depth + 1)
    else if (FORMAT_OF.has(extname(entry.name).toLowerCase())) yield { path, name: named }
  }
}

/** Or why there are none to be had. */
const entriesOf = (directory: string): readonly Dirent[] | string => {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    return `it cannot be read: ${(error as Error).message}`
  }
}
