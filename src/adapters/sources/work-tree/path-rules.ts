/**
 * The rules of the work tree for paths that need not be in it: what history asks about the files of old commits. A file that
 * was committed is part of the story whatever `.gitignore` says; the `ignore` setting and `.quarryignore` count, the latter at
 * the root and above it only: which directories had one of their own cannot be told without a walk.
 */

import { createHash } from 'node:crypto'
import { type NameRefusal, skipDirectoryByName, skipFileByName } from '../../../text/skip-by-name.js'
import { ownLevels, verdictIn } from './ignore-levels.js'
import type { DirectoryRules } from './ignore-rules.js'
import { realRoot } from './root.js'
import { wantedBy } from './wanted.js'

/** `ignored` by the user; `wanted` by the user, whatever it looks like; or refused for what its name says. */
export type PathVerdict = 'ignored' | 'wanted' | NameRefusal | undefined

export interface PathRules {
  /** Names the rules of the user: while it stays the same, so does every verdict. Empty while there are none. */
  readonly id: string
  judge(path: string): PathVerdict
}

export interface PathRulesOptions {
  readonly root: string
  readonly ignore: readonly string[]
  readonly include: readonly string[]
}

/** What holds for everything in a directory, or how to ask about its entries. */
type DirectoryVerdict =
  | { readonly all: PathVerdict }
  | {
      readonly path: string
      readonly rules: DirectoryRules | null
      readonly isWanted: DirectoryRulesOfWanted
      /** Entered for the sake of some wanted files: what the others are refused for. */
      readonly refusal: NameRefusal | undefined
    }

type DirectoryRulesOfWanted = ((name: string, isDirectory: boolean) => boolean) | null

export const pathRules = ({ root, ignore, include }: PathRulesOptions): PathRules => {
  const { strongest, levels, texts } = ownLevels(realRoot(root), ignore)
  const wanted = wantedBy(include)
  const hasRules = [...ignore, ...include, ...texts].some(text => text !== '')

  const enter = (path: string, refusal: NameRefusal | undefined): DirectoryVerdict => ({
    path,
    rules: verdictIn(strongest, levels, path),
    isWanted: wanted.inDirectory(path),
    refusal,
  })

  const top = enter('', undefined)
  const directories = new Map<string, DirectoryVerdict>()

  /** By a loop: a path that somebody committed may be thousands of levels deep. */
  const directoryAt = (path: string): DirectoryVerdict => {
    const unknown: string[] = []
    let at = path
    for (; at !== '' && !directories.has(at); at = parentOf(at)) unknown.push(at)
    let verdict = directories.get(at) ?? top
    for (const next of unknown.reverse()) {
      verdict = below(next, verdict)
      directories.set(next, verdict)
    }
    return verdict
  }

  const below = (path: string, parent: DirectoryVerdict): DirectoryVerdict => {
    if ('all' in parent) return parent
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (parent.rules?.(name, true) === 'ignored') return { all: 'ignored' }
    const isOpened = parent.isWanted?.(name, true) === true
    const refusal = isOpened ? undefined : (parent.refusal ?? skipDirectoryByName(name))
    return refusal && !wanted.mayBeBelow(path) ? { all: refusal } : enter(path, refusal)
  }

  return {
    id: hasRules ? shortHash(JSON.stringify([ignore, include, texts])) : '',
    judge: path => {
      const directory = directoryAt(parentOf(path))
      if ('all' in directory) return directory.all
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (directory.rules?.(name, false) === 'ignored') return 'ignored'
      const byName = skipFileByName(name)
      if (directory.isWanted?.(name, false)) return byName?.reason === 'secret' ? byName : 'wanted'
      return directory.refusal ?? byName
    },
  }
}

/** '' is above everything. */
const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0))

const shortHash = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 8)
