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
