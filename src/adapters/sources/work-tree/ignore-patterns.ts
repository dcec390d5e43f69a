/**
 * Patterns of ignore files, one by one: how a line reads, and what it matches. A hostile file must not cost more than its
 * size, so nothing here looks at a part of a pattern more than once.
 */

import ignore from 'ignore'

/** Asked with a name, or with a path where the pattern is one of a path. */
export type Matches = (nameOrPath: string, isDirectory: boolean) => boolean

export interface PathPattern {
  /** The directories before the first wildcard, with a slash at the end: elsewhere the pattern cannot match. */
  readonly below: string
  /** How the directory of whatever matches must end; '' when that cannot be told. */
  readonly directory: string
  readonly mayMatch: (name: string) => boolean
  readonly matches: Matches
}

/** Characters that make a pattern more than a name. */
export const SPECIAL = /[*?[\\]/

/** Longer than any path, so it could not match one. */
const LONGEST_PATTERN = 4096

export const parseLine = (
  line: string,
): { body: string; negated: boolean; directoriesOnly: boolean } | null => {
  if (line.startsWith('#') || line.length > LONGEST_PATTERN) return null
  let body = trimEnd(line.endsWith('\r') ? line.slice(0, -1) : line)
  const negated = body.startsWith('!')
  if (negated) body = body.slice(1)
  const directoriesOnly = body.endsWith('/')
  if (directoriesOnly) body = body.slice(0, -1)
  // No path has an empty part, so such a pattern matches nothing.
  return body === '' || body.includes('//') || body.endsWith('/') ? null : { body, negated, directoriesOnly }
}

/** Blanks at the end do not count, except one behind a backslash. */
const trimEnd = (line: string): string => {
  const end = endWithout(line, ' ', line.length)
  const isEscaped = (end - endWithout(line, '\\', end)) % 2 === 1
  return line.slice(0, isEscaped && end < line.length ? end + 1 : end)
}

const endWithout = (text: string, character: string, end: number): number => {
  let at = end
  while (at > 0 && text[at - 1] === character) at--
  return at
}

export const wildcardMatcher = (pattern: string): Matches => {
  const [head, tail, ...more] = pattern.split('*') as [string, string?, ...string[]]
  if (tail !== undefined && more.length === 0 && !SPECIAL.test(head + tail))
    return name => name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
  const last = /^\*([^*?[\\]*)\[([a-zA-Z0-9]+)\]$/.exec(pattern) as [string, string, string] | null
  // `*.py[cod]`, `*.[oa]`: too common for the library.
  if (last) return name => last[2].includes(name.at(-1)!) && name.endsWith(last[1], name.length - 1)
  const mayMatch = fixedParts(pattern)
  const matches = libraryMatcher(pattern, false)
  return (name, isDirectory) => mayMatch(name) && matches(name, isDirectory)
}

export const pathPattern = (
  pattern: string,
  parent: string,
  last: string,
  directoriesOnly: boolean,
): PathPattern => {
  const wildcard = pattern.search(SPECIAL)
  const nearest = parent.slice(parent.lastIndexOf('/') + 1)
  // `**` reaches below its directory, and a slash behind a bracket may be a part of it.
  const isUnclear = /^\*\*+$/.test(last) || parent.includes('[')
  return {
    below: pattern.slice(0, pattern.lastIndexOf('/', wildcard) + 1).replace(/^\//, ''),
    directory: isUnclear || SPECIAL.test(nearest) ? '' : `/${nearest}/`,
    mayMatch: isUnclear ? () => true : fixedParts(last),
    matches: libraryMatcher(pattern, directoriesOnly),
  }
}

/** Most names lack the fixed parts of a pattern, in their order: the library is asked about the others only. */
const fixedParts = (pattern: string): ((name: string) => boolean) => {
  const open = pattern.indexOf('[')
  const close = pattern.lastIndexOf(']')
  const bare = open < 0 || close < open ? pattern : `${pattern.slice(0, open)}\0${pattern.slice(close + 1)}`
  const parts = bare.replace(/\\.|[*?[]/gs, '\0').split('\0')
  const head = parts[0]!
  const tail = parts.at(-1)!
  const inner = parts.slice(1, -1).filter(part => part !== '')
  return name => {
    if (!name.startsWith(head) || !name.endsWith(tail)) return false
    let from = head.length
    for (const part of inner) {
      const at = name.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return true
  }
}

/**
 * Whether this one pattern matches this one path. The pattern goes in negated, because the library lets an ignored parent
 * decide for all that is below it, although another file's pattern may have taken that parent back; a pattern that never
 * ignores is asked about the path itself.
 */
const libraryMatcher = (body: string, directoriesOnly: boolean): Matches => {
  // Made when it is first asked: most patterns never are.
  let rules: ReturnType<typeof ignore> | undefined
  return (path, isDirectory) => {
    rules ??= ignore({ ignorecase: false, allowRelativePaths: true }).add({
      pattern: `!${body}${directoriesOnly ? '/' : ''}`,
    })
    return rules.test(isDirectory ? `${path}/` : path).unignored
  }
}
