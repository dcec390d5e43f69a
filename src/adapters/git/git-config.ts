/**
 * Reads the settings of a repository as plain data: what its format is, never what it would like to run. Includes are not
 * followed. Only `find-repository.ts` and `shadow.ts` ask, and only for the few keys that say how to read the rest.
 */

import { join } from 'node:path'
import { readSmallFile } from './read-small-file.js'

/** Keys in lower case, `section.key` or `section.name.key`; the last value of a key counts, as for git. */
export type GitConfig = ReadonlyMap<string, string>

export const readGitConfig = (gitDirectory: string): GitConfig => {
  const settings = new Map<string, string>()
  let section = ''
  for (const line of (readSmallFile(join(gitDirectory, 'config')) ?? '').split('\n')) {
    const heading = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line)
    if (heading) section = [heading[1], heading[2]].filter(Boolean).join('.').toLowerCase()
    const [, key, value = 'true'] = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(heading?.[3] ?? line) ?? []
    if (key !== undefined) settings.set(`${section}.${key.toLowerCase()}`, plain(value))
  }
  return settings
}

const plain = (value: string): string => {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value.trim())?.[1]
  return quoted === undefined ? value.replace(/\s[#;].*$/, '').trim() : quoted.replace(/\\(.)/g, '$1')
}
