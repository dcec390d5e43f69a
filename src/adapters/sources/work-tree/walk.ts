/**
 * Walks the tree and hands every file worth reading, with its status, to the source. Calls of the file system are
 * synchronous, because in Node they cost a third of asynchronous ones; the walk stops for breath every few milliseconds.
 */

import { QuarryError } from '../../../core/errors.js'
import { skipDirectoryByName, skipFileByName } from '../../../text/skip-by-name.js'
import type { Breather } from './breather.js'
import { deeperLevels, type Levels, rootLevels, verdictIn } from './ignore-levels.js'
import { type Entry, type Listing, listDirectory } from './list-directory.js'
import { isPassing, type Refusal } from './read-bytes.js'
import { prefixOf } from './root.js'
import { signsOf } from './signs.js'
import type { Wanted } from './wanted.js'

export interface Visitor {
  file(path: string): void
  skip(path: string, refusal: Refusal): void
  /** This directory is there but cannot be looked into: what is below it is unknown, not gone. */
  blind(path: string): void
  /** Before a directory is listed. What comes back is its listing, where that is known and nothing stirred since. */
  look?(path: string): Listing | undefined
  /** Right after it was listed. */
  listed?(path: string, listing: Listing): void
  /** A directory that counts; what `isIgnored` says of a name holds for a file of that name in it. */
  enter?(path: string, isIgnored: (name: string) => boolean): void
}

interface Directory {
  readonly path: string
  readonly depth: number
  readonly levels: Levels
  /** Inside a skipped directory that was entered for the sake of some wanted files. */
  readonly wantedOnly: boolean
}

/** Deeper trees are made by accident or in bad faith. */
const DEEPEST = 200
const ENTRIES_BETWEEN_BREATHS = 256

/** `root` is a real path. */
export const walk = async (
  root: string,
  ignored: readonly string[],
  wanted: Wanted,
  visitor: Visitor,
  breathe: Breather,
): Promise<void> => {
  const base = prefixOf(root)
  const { strongest, outer } = rootLevels(root, ignored)
  const stack: Directory[] = [{ path: '', depth: 0, levels: outer, wantedOnly: false }]

  for (let directory = stack.pop(); directory; directory = stack.pop()) {
    if (breathe.isDue()) await breathe.now()
    const { path } = directory
    const absolute = base + path
    const list = (): Listing | Refusal => visitor.look?.(path) ?? listDirectory(absolute)
    let listing = list()
    for (let attempt = 0; attempt < 7 && 'reason' in listing && isPassing(listing); attempt++) {
      await breathe.longer(10 * 2 ** attempt)
      listing = list()
    }
    if ('reason' in listing) {
      if (path === '')
        throw new QuarryError('BAD_PATH', `${root} cannot be read: ${listing.detail ?? listing.reason}`, {
          hint: `ls -ld ${root}`,
        })
      visitor.skip(`${path}/`, listing)
      if (listing.reason !== 'vanished') visitor.blind(path)
      continue
    }
    visitor.listed?.(path, listing)
    const visit = enter(directory, listing)
    if (!visit) continue
    let count = 0
    for (const entry of listing.entries) {
      if (++count % ENTRIES_BETWEEN_BREATHS === 0 && breathe.isDue()) await breathe.now()
      visit(entry)
    }
  }

  /** What to do with each entry of this directory; null leaves all of them out. */
  function enter(directory: Directory, { entries, unnameable }: Listing): ((entry: Entry) => void) | null {
    const { path, depth } = directory
    const signs = signsOf(base + path, entries)
    let { wantedOnly } = directory
    if (path !== '' && signs.refusal) {
      visitor.skip(`${path}/`, signs.refusal)
      if (signs.isRepository || !wanted.mayBeBelow(path)) return null
      wantedOnly = true
    }
    const prefix = path === '' ? '' : `${path}/`
    if (!wantedOnly)
      for (const name of unnameable)
        visitor.skip(prefix + name, { reason: 'encoding', detail: 'the name is not UTF-8' })
    const levels =
      signs.ignoreFiles.length === 0
        ? directory.levels
        : deeperLevels(directory.levels, root, path, signs.ignoreFiles)
    const verdict = verdictIn(strongest, levels, path)
    const isWanted = wanted.inDirectory(path)
    visitor.enter?.(path, name => name === '.git' || verdict?.(name, false) === 'ignored')

    const visitDirectory = (name: string): void => {
      const below = prefix + name
      const isOpened = isWanted?.(name, true) === true
      let onlyWanted = wantedOnly && !isOpened
      const refusal = isOpened || wantedOnly ? undefined : skipDirectoryByName(name)
      if (refusal) {
        visitor.skip(`${below}/`, refusal)
        onlyWanted = true
      }
      if (onlyWanted && !wanted.mayBeBelow(below)) return
      if (depth === DEEPEST)
        visitor.skip(`${below}/`, { reason: 'too-deep', detail: `more than ${DEEPEST} levels` })
      else stack.push({ path: below, depth: depth + 1, levels, wantedOnly: onlyWanted })
    }

    const visitFile = (entry: Entry, name: string): void => {
      const isAsked = isWanted?.(name, false) === true
      if (wantedOnly && !isAsked) return
      const refusal = refusalOfEntry(entry, name, isAsked)
      if (refusal) visitor.skip(prefix + name, refusal)
      else visitor.file(prefix + name)
    }

    return entry => {
      const { name } = entry
      const isDirectory = entry.isDirectory()
      if (name === '.git' || verdict?.(name, isDirectory) === 'ignored') return
      if (isDirectory) visitDirectory(name)
      else visitFile(entry, name)
    }
  }
}

const refusalOfEntry = (entry: Entry, name: string, isAsked: boolean): Refusal | undefined => {
  if (!entry.isFile()) return { reason: entry.isSymbolicLink() ? 'link' : 'not-a-file' }
  const byName = skipFileByName(name)
  return isAsked && byName?.reason !== 'secret' ? undefined : byName
}
