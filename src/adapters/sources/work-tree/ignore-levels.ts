/**
 * The ignore files that govern a directory, nearest first. `.quarryignore` reads as if its lines stood at the end of the
 * `.gitignore` beside it; `.git/info/exclude` is weaker than all of them, the `ignore` setting stronger.
 */

import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { compileIgnoreRules, type DirectoryRules, type IgnoreRules } from './ignore-rules.js'
import { readSmallFile } from './read-bytes.js'

/** Rules of a directory. A path of the walk is for them `prefix` and what is left of it behind `skip` characters. */
interface Level {
  readonly rules: IgnoreRules
  readonly skip: number
  readonly prefix: string
}

/** Strongest first. */
export type Levels = readonly Level[]

/** A megabyte of patterns is a mistake or an attack. */
const LARGEST_IGNORE_FILE = 1_048_576

const OWN_IGNORE_FILE = '.quarryignore'
export const IGNORE_FILES: readonly string[] = ['.gitignore', OWN_IGNORE_FILE]

/** What governs the whole walk: the setting, and the repository that the root lies in. */
export const rootLevels = (
  root: string,
  setting: readonly string[],
): { strongest: Levels; outer: Levels } => {
  const strongest = levelOf(compileIgnoreRules(setting.join('\n')), 0, '')
  const top = repositoryTop(root)
  if (top === null) return { strongest, outer: [] }
  const above = directoriesAbove(root, top)
  const outer = above.flatMap(({ directory, prefix }) =>
    levelOf(readRules(directory, IGNORE_FILES), 0, prefix),
  )
  const prefix = above.at(-1)?.prefix ?? ''
  return {
    strongest,
    outer: [...outer, ...levelOf(readRules(gitDirectory(top), ['info/exclude']), 0, prefix)],
  }
}

/** The same for files that need not be there: what is Quarry's own, at the root and above it, and the texts it was made of. */
export const ownLevels = (
  root: string,
  setting: readonly string[],
): { strongest: Levels; levels: Levels; texts: readonly string[] } => {
  const above = directoriesAbove(root, repositoryTop(root) ?? root)
  const files = [{ directory: root, prefix: '' }, ...above].map(({ directory, prefix }) => ({
    prefix,
    text: readPatterns(join(directory, OWN_IGNORE_FILE)),
  }))
  return {
    strongest: levelOf(compileIgnoreRules(setting.join('\n')), 0, ''),
    levels: files.flatMap(({ prefix, text }) => levelOf(compileIgnoreRules(text), 0, prefix)),
    texts: files.map(({ text }) => text),
  }
}

/** From the nearest up to the top, each with the path that leads from it back to the root. */
const directoriesAbove = (root: string, top: string): { directory: string; prefix: string }[] => {
  const above: { directory: string; prefix: string }[] = []
  let prefix = ''
  for (let directory = root; directory !== top; ) {
    const parent = dirname(directory)
    const name = directory.slice(parent.length).replace(/^[/\\]/, '')
    prefix = prefix === '' ? name : `${name}/${prefix}`
    directory = parent
    above.push({ directory, prefix })
  }
  return above
}

/** The levels of a directory that holds these ignore files. */
export const deeperLevels = (outer: Levels, root: string, path: string, files: readonly string[]): Levels => {
  const ordered = IGNORE_FILES.filter(name => files.includes(name))
  return [...levelOf(readRules(join(root, path), ordered), path === '' ? 0 : path.length + 1, ''), ...outer]
}

/** One question for all levels: the strongest that has an opinion decides. Null where none can have one. */
export const verdictIn = (strongest: Levels, levels: Levels, path: string): DirectoryRules | null => {
  const active: DirectoryRules[] = []
  for (const list of [strongest, levels]) {
    for (const { rules, skip, prefix } of list) {
      const below = path.slice(skip)
      const here = rules.inDirectory(prefix === '' || below === '' ? prefix + below : `${prefix}/${below}`)
      if (here) active.push(here)
    }
  }
  if (active.length <= 1) return active[0] ?? null
  return (name, isDirectory) => {
    for (const rules of active) {
      const verdict = rules(name, isDirectory)
      if (verdict) return verdict
    }
    return undefined
  }
}

const levelOf = (rules: IgnoreRules | null, skip: number, prefix: string): Level[] =>
  rules ? [{ rules, skip, prefix }] : []

const readRules = (directory: string, names: readonly string[]): IgnoreRules | null =>
  compileIgnoreRules(names.map(name => readPatterns(join(directory, name))).join('\n'))

const readPatterns = (path: string): string =>
  (readSmallFile(path, LARGEST_IGNORE_FILE) ?? '').replace(/^\uFEFF/, '')

/** The nearest directory, from here upwards, that holds a `.git`. */
const repositoryTop = (root: string): string | null => {
  for (let directory = root; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory
    if (directory === dirname(directory)) return null
  }
}

/** In a worktree `.git` is a file that points to a directory, which in turn may name the one that all worktrees share. */
const gitDirectory = (top: string): string => {
  const entry = join(top, '.git')
  if (lstatSync(entry, { throwIfNoEntry: false })?.isDirectory()) return entry
  const pointed = /^gitdir: (.+)/.exec(readSmallFile(entry, 4096) ?? '')?.[1]
  if (pointed === undefined) return entry
  const own = resolve(top, pointed.trimEnd())
  const common = readSmallFile(join(own, 'commondir'), 4096)
  return common === null ? own : resolve(own, common.trimEnd())
}
