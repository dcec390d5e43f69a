/** Reads the head of one file's section in a diff: which file it is, and whether its lines are worth having. */

import type { SkipReason } from '../../core/types.js'
import { unquotePath } from '../../text/unquote-path.js'

export interface SectionHead {
  /** After the change; before it where the file is deleted. */
  readonly path: string
  /** Why its lines are not to be had, by what git says of it. */
  readonly refusal?: { readonly reason: SkipReason; readonly detail?: string }
  /** Nothing but other permissions: no lines, and nothing to tell. */
  readonly isModeOnly: boolean
}

const SUBMODULE = '160000'

/** `head` is the section up to its first hunk, or the whole of it. */
export const readSectionHead = (head: string): SectionHead => {
  let [path, oldPath, moved]: (string | undefined)[] = []
  let isBinary = false
  let isSubmodule = false
  let isModeOnly = false
  const lines = head.split('\n')
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!
    if (line.startsWith('+++ ')) path = sideOf(line.slice(4))
    else if (line.startsWith('--- ')) oldPath = sideOf(line.slice(4))
    else if (line.startsWith('rename to ')) moved = unquotePath(line.slice(10))
    else if (line.startsWith('copy to ')) moved = unquotePath(line.slice(8))
    else if (line.startsWith('Binary files ')) isBinary = true
    else if (line.endsWith(SUBMODULE)) isSubmodule = true
    else if (line.startsWith('old mode ')) isModeOnly = true
    else if (line.startsWith('index ')) isModeOnly = false
  }
  const known = path ?? moved ?? oldPath ?? sharedName(lines[0]!.slice('diff --git '.length))
  if (isSubmodule) return { path: known, isModeOnly: false, refusal: { reason: 'submodule' } }
  if (isBinary) return { path: known, isModeOnly: false, refusal: { reason: 'binary' } }
  return { path: known, isModeOnly: isModeOnly && moved === undefined }
}

/** The name behind `+++` or `---`; git ends one that has blanks in it with a tab, and nothing is `/dev/null`. */
const sideOf = (text: string): string | undefined => {
  const bare = text.endsWith('\t') ? text.slice(0, -1) : text
  return bare === '/dev/null' ? undefined : unquotePath(bare).slice(2)
}

/** `a/x b/x`: where no other line says a name, both are the same, and the middle is found by length. */
const sharedName = (names: string): string => unquotePath(names.slice(0, (names.length - 1) >> 1)).slice(2)
