/**
 * Which object directory git may read. A repository can borrow objects from others (`objects/info/alternates`, or links), and
 * a hostile one would borrow from a repository that its maker cannot read but the user can. Where something is borrowed from
 * a place that is not allowed, git gets a directory of ours that links only to what is allowed; the rest counts as missing.
 */

import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isAllowed, realDirectory, type Trust } from './find-repository.js'
import { readSmallFile } from './read-small-file.js'

export interface FencedObjects {
  /** What git is given as its object directory. */
  readonly directory: string
  /** Places that are borrowed from and not read. */
  readonly refused: readonly string[]
  /** Every place that something is borrowed from. */
  readonly borrowed: readonly string[]
}

/** `home` is the directory that the repository may freely point into. */
export const fenceObjects = (
  commonDirectory: string,
  home: string,
  shadowDirectory: string,
  trust: Trust,
): FencedObjects => {
  const objects = join(commonDirectory, 'objects')
  const mayRead = (place: string): boolean =>
    isAllowed(place, home, trust) || isAllowed(place, commonDirectory, trust)
  const linked = linksIn(objects)
  const links = linked.filter(({ target }) => target === null || !mayRead(target))
  const alternates = alternatesOf(objects)
  const borrowed = [...new Set([...linked.flatMap(({ target }) => target ?? []), ...allAlternates(objects)])]
  // One that is allowed may borrow from one that is not: then neither is followed.
  const isSound = (place: string): boolean => mayRead(place) && allAlternates(place).every(mayRead)
  const refused = [
    ...links.map(({ path, target }) => target ?? path),
    ...alternates.filter(place => !isSound(place)),
  ]
  if (refused.length === 0) return { directory: objects, refused, borrowed }
  const directory = join(shadowDirectory, 'fenced-objects')
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(join(directory, 'info'), { recursive: true, mode: 0o700 })
  writeFileSync(
    join(directory, 'info', 'alternates'),
    alternates
      .filter(isSound)
      .map(place => `${place}\n`)
      .join(''),
  )
  const fencedOff = new Set(links.map(({ path }) => path))
  if (!fencedOff.has(objects))
    for (const name of partsOf(objects))
      if (!fencedOff.has(join(objects, name)))
        symlinkSync(join(objects, name), join(directory, name), 'junction')
  return { directory, refused: [...new Set(refused)], borrowed }
}

/** The object directories that `info/alternates` names, without the ones that are not there. */
const alternatesOf = (objects: string): string[] =>
  (readSmallFile(join(objects, 'info', 'alternates')) ?? '')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .flatMap(line => realDirectory(resolve(objects, line)) ?? [])

const DEEPEST_CHAIN = 10

const allAlternates = (objects: string, depth = 0): string[] =>
  depth > DEEPEST_CHAIN
    ? []
    : alternatesOf(objects).flatMap(place => [place, ...allAlternates(place, depth + 1)])

/** Directories of loose objects, and of packs. */
const partsOf = (objects: string): string[] => {
  try {
    return readdirSync(objects).filter(name => /^(?:[0-9a-f]{2}|pack)$/.test(name))
  } catch {
    return []
  }
}

const linksIn = (objects: string): { readonly path: string; readonly target: string | null }[] =>
  [objects, ...partsOf(objects).map(name => join(objects, name))]
    .filter(path => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    .map(path => ({ path, target: realDirectory(path) }))
