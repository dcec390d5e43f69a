/** Names as git writes them in a diff: plain, or in quotes with C escapes where a character would be read wrongly. */

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** `"caf\303\251"` is `café`; a name without quotes is itself. Bytes that are no UTF-8 become U+FFFD. */
export const unquotePath = (name: string): string => {
  if (name.length < 2 || !name.startsWith('"') || !name.endsWith('"')) return name
  const inner = name.slice(1, -1)
  if (!inner.includes('\\')) return inner
  const bytes: number[] = []
  for (const [, octal, escaped, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff)
    else if (escaped !== undefined) bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0))
    else for (const byte of encoder.encode(plain)) bytes.push(byte)
  }
  return decoder.decode(Uint8Array.from(bytes))
}

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
