/**
 * One ignore file, compiled. Git asks every pattern about every path; here the common shapes (a name, `*.ext`, each below
 * any or one directory) are looked up in maps, and only the rest is tried one by one. The last pattern that matches wins,
 * so every lookup answers with the number of a pattern, and the highest number decides.
 */

import {
  type Matches,
  type PathPattern,
  parseLine,
  pathPattern,
  SPECIAL,
  wildcardMatcher,
} from './ignore-patterns.js'

/** What the rules say of a name: left out, taken back by a `!` pattern, or nothing. */
type Verdict = 'ignored' | 'included' | undefined

export interface IgnoreRules {
  /** The rules that can match in this directory (relative to the rules' own, '' for that one), or null if none can. */
  inDirectory(directory: string): DirectoryRules | null
}

export type DirectoryRules = (name: string, isDirectory: boolean) => Verdict

interface Table {
  /** Patterns that are a plain name, and patterns `*.ext` by their extension: the numbers that win for each kind of entry. */
  readonly names: Map<string, Winners>
  readonly extensions: Map<string, Winners>
  readonly wildcards: Wildcard[]
}

interface Winners {
  forFile: number
  forDirectory: number
}

interface Wildcard {
  readonly number: number
  readonly directoriesOnly: boolean
  readonly matches: Matches
}

/** `text` as the file holds it, without byte order mark; null when it has no pattern at all. */
export const compileIgnoreRules = (text: string): IgnoreRules | null => {
  const anywhere = emptyTable()
  const byParent = new Map<string, Table>()
  const paths: (PathPattern & { readonly number: number })[] = []
  const negated: boolean[] = []

  for (const line of text.split('\n')) {
    const pattern = parseLine(line)
    if (!pattern) continue
    const number = negated.push(pattern.negated) - 1
    const { body, directoriesOnly } = pattern
    // `**/name` means the same as `name`.
    const free = body.startsWith('**/') && !body.includes('/', 3) ? body.slice(3) : body
    const slash = free.lastIndexOf('/')
    const parent = free.slice(0, Math.max(slash, 0)).replace(/^\//, '')
    const last = free.slice(slash + 1)
    if (slash < 0) addToTable(anywhere, last, directoriesOnly, number)
    else if (!SPECIAL.test(parent) && !/^\*\*+$/.test(last)) {
      const table = byParent.get(parent) ?? emptyTable()
      byParent.set(parent, table)
      addToTable(table, last, directoriesOnly, number)
    } else {
      paths.push({ number, ...pathPattern(free, parent, last, directoriesOnly) })
    }
  }
  if (negated.length === 0) return null
  const anywhereIsEmpty = isEmpty(anywhere)
  // The highest number decides, so a search from the end may stop early.
  for (const list of [paths, anywhere.wildcards, ...[...byParent.values()].map(table => table.wildcards)])
    list.reverse()

  return {
    inDirectory: directory => {
      const prefix = directory === '' ? '' : `${directory}/`
      const here = byParent.get(directory)
      const reaching =
        paths.length === 0
          ? paths
          : paths.filter(
              ({ below, directory: end }) => prefix.startsWith(below) && `/${prefix}`.endsWith(end),
            )
      if (anywhereIsEmpty && !here && reaching.length === 0) return null
      return (name, isDirectory) => {
        let winner = anywhereIsEmpty ? -1 : lookUp(anywhere, name, isDirectory)
        if (here) winner = Math.max(winner, lookUp(here, name, isDirectory))
        for (const { number, mayMatch, matches } of reaching) {
          if (number <= winner) break
          if (mayMatch(name) && matches(prefix + name, isDirectory)) winner = number
        }
        return winner < 0 ? undefined : negated[winner] ? 'included' : 'ignored'
      }
    },
  }
}

const emptyTable = (): Table => ({ names: new Map(), extensions: new Map(), wildcards: [] })

const isEmpty = ({ names, extensions, wildcards }: Table): boolean =>
  names.size + extensions.size + wildcards.length === 0

const addToTable = (table: Table, pattern: string, directoriesOnly: boolean, number: number): void => {
  const rest = pattern.startsWith('*') ? pattern.slice(1) : undefined
  if (!SPECIAL.test(pattern)) addWinner(table.names, pattern, directoriesOnly, number)
  else if (rest !== undefined && /^\.[^.*?[\\]*$/.test(rest))
    addWinner(table.extensions, rest, directoriesOnly, number)
  else table.wildcards.push({ number, directoriesOnly, matches: wildcardMatcher(pattern) })
}

const addWinner = (
  map: Map<string, Winners>,
  key: string,
  directoriesOnly: boolean,
  number: number,
): void => {
  const winners = map.get(key) ?? { forFile: -1, forDirectory: -1 }
  map.set(key, { forFile: directoriesOnly ? winners.forFile : number, forDirectory: number })
}

const lookUp = ({ names, extensions, wildcards }: Table, name: string, isDirectory: boolean): number => {
  let winner = -1
  const named = names.get(name)
  if (named) winner = isDirectory ? named.forDirectory : named.forFile
  if (extensions.size > 0) {
    const dot = name.lastIndexOf('.')
    const extended = dot < 0 ? undefined : extensions.get(name.slice(dot))
    if (extended) winner = Math.max(winner, isDirectory ? extended.forDirectory : extended.forFile)
  }
  for (const { number, directoriesOnly, matches } of wildcards) {
    if (number <= winner) break
    if ((isDirectory || !directoriesOnly) && matches(name, isDirectory)) winner = number
  }
  return winner
}
