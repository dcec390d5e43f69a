/** What the entries of a directory say about it: its ignore files, and whether it is someone else's or a tool's. */

import { existsSync } from 'node:fs'
import { DIRECTORY_MARKS } from '../../../text/skip-tables.js'
import { IGNORE_FILES } from './ignore-levels.js'
import type { Entry } from './list-directory.js'
import type { Refusal } from './read-bytes.js'

export interface Signs {
  readonly ignoreFiles: readonly string[]
  readonly refusal?: Refusal
  readonly isRepository: boolean
}

const NOTHING: Signs = { ignoreFiles: [], isRepository: false }
const REPOSITORY: Refusal = { reason: 'vendored', detail: 'a git repository of its own' }

/** Most names are done with after one look at their first character. */
const INITIALS = new Set(['.git', ...IGNORE_FILES, ...DIRECTORY_MARKS.keys()].map(name => name.charCodeAt(0)))

/** `path` is absolute. */
export const signsOf = (path: string, entries: readonly Entry[]): Signs => {
  const ignoreFiles: string[] = []
  let refusal: Refusal | undefined
  for (const entry of entries) {
    const { name } = entry
    if (!INITIALS.has(name.charCodeAt(0))) continue
    if (name === '.git' && isRepository(path, entry)) refusal = REPOSITORY
    else if (IGNORE_FILES.includes(name) && entry.isFile()) ignoreFiles.push(name)
    else refusal ??= DIRECTORY_MARKS.get(name)
  }
  if (ignoreFiles.length === 0 && !refusal) return NOTHING
  return { ignoreFiles, isRepository: refusal === REPOSITORY, ...(refusal && { refusal }) }
}

/** A `.git` file points to a repository (submodule, worktree); a `.git` directory is one if it has a HEAD, as Git sees it. */
const isRepository = (path: string, entry: Entry): boolean =>
  entry.isFile() || (entry.isDirectory() && existsSync(`${path}/.git/HEAD`))
