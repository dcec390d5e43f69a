/** What a path says about a file: tests, examples, documentation and the like are seldom what is asked for. */

import { isDocumentationPath, isTestPath } from '../text/file-role.js'

export interface FileKinds {
  readonly test: number
  readonly example: number
  readonly compat: number
  readonly documentation: number
  readonly types: number
  readonly barrel: number
  readonly platform: number
}

const EXAMPLE =
  /(?:^|\/)(?:examples?|samples?|demos?|docs_src|tutorials?|benchmarks?|bench|playground|scripts)\//i
const COMPAT = /(?:^|\/|[_.-])(?:compat|compatibility|legacy|deprecated|shims?|polyfills?|old)(?:\/|[_.-])/i
const TYPES = /\.d\.[cm]?ts$|(?:^|\/)types?\.\w+$|\.pyi$/
const BARREL = /(?:^|\/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|main\.\w+)$/

/** Systems that most readers are not on: the same thing is done in a sibling file for the common ones. */
const PLATFORM =
  /(?:^|[/_.-])(win|win32|win64|windows|wasm|wasi|darwin|macos|ios|android|bsd|freebsd|netbsd|openbsd|sunos|solaris|aix|os390|haiku|cygwin|plan9)(?=[/_.-])/i

/** The name of the system that a path is for, or nothing. */
export const platformIn = (path: string): string => path.match(PLATFORM)?.[1]?.toLowerCase() ?? ''

export const fileKinds = (path: string): FileKinds => ({
  test: isTestPath(path) ? 1 : 0,
  example: flag(EXAMPLE, path),
  compat: flag(COMPAT, path),
  documentation: isDocumentationPath(path) ? 1 : 0,
  types: flag(TYPES, path),
  barrel: flag(BARREL, path),
  platform: platformIn(path) === '' ? 0 : 1,
})

const flag = (pattern: RegExp, path: string): number => (pattern.test(path) ? 1 : 0)
