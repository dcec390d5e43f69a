/**
 * What the `include` setting asks for: files to take although a skip rule would leave them out. It beats the rules for
 * vendored, generated, minified and unwanted kinds; never ignore files, secrets or the limit of size.
 */

import { compileIgnoreRules } from './ignore-rules.js'

export interface Wanted {
  /** Asks for the entries of one directory; null where nothing can be wanted. */
  inDirectory(path: string): ((name: string, isDirectory: boolean) => boolean) | null
  /** Whether a pattern leads into this directory, so that it must be entered although it is skipped. */
  mayBeBelow(path: string): boolean
}

export const wantedBy = (patterns: readonly string[]): Wanted => {
  const rules = compileIgnoreRules(patterns.join('\n'))
  const trunks = patterns.map(trunkOf).filter(trunk => trunk !== '')
  return {
    inDirectory: path => {
      const here = rules?.inDirectory(path)
      return here ? (name, isDirectory) => here(name, isDirectory) === 'ignored' : null
    },
    mayBeBelow: path =>
      trunks.some(trunk => trunk === path || trunk.startsWith(`${path}/`) || path.startsWith(`${trunk}/`)),
  }
}

/** The directories a pattern names before its first wildcard. A pattern without any would open every `node_modules`. */
const trunkOf = (pattern: string): string => {
  const bare = pattern.trim().replace(/^\//, '').replace(/\/$/, '')
  if (bare.startsWith('!') || bare.startsWith('#') || !bare.includes('/')) return ''
  const wildcard = bare.search(/[*?[\\]/)
  return wildcard < 0 ? bare : bare.slice(0, Math.max(bare.lastIndexOf('/', wildcard), 0))
}
