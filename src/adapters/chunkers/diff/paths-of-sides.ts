/** The names of the two sides of a diff. */

import { unquotePath } from '../../../text/unquote-path.js'

/** Both names of `diff --git a/… b/…`, which are the same one there; only a rename, which says its names elsewhere, differs. */
export const sharedPath = (names: string): string => {
  // Blanks in a name are not quoted, so the middle is found by length.
  const half = names.slice(0, (names.length - 1) >> 1)
  return withoutPrefix(unquotePath(half))
}

/** `a/src/x.ts` and `b/src/x.ts` are `src/x.ts`; the empty file of additions and deletions is none. */
export const pathOfSide = (name: string): string | null => {
  // Git ends a name that has blanks in it with a tab.
  const bare = name.endsWith('\t') ? name.slice(0, -1) : name
  return bare === '/dev/null' ? null : withoutPrefix(unquotePath(bare))
}

const withoutPrefix = (name: string): string =>
  name.startsWith('a/') || name.startsWith('b/') ? name.slice(2) : name
