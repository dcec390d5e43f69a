/**
 * The words of a text in plain ASCII, by walking over it: what the pattern in `tokenise.ts` finds there, without its price.
 * Nearly all code and most prose is plain.
 */

const LETTER = 1
const DIGIT = 2
/** Stands in names: `_` and `$`. */
const JOINT = 3

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[A-Za-z]/.test(character)) return LETTER
  if (/[0-9]/.test(character)) return DIGIT
  return /[_$]/.test(character) ? JOINT : 0
})

const PLUS = 43
const HASH = 35
const DOT = 46
const APOSTROPHE = 39
const UNDERSCORE = 95

/** Calls with the place of each word in turn. False where the text is not plain: then what was called for does not count. */
export const readPlainWords = (text: string, take: (start: number, end: number) => void): boolean => {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code >= 128) return false
    const kind = KINDS[code]!
    if (kind === 0) {
      at++
      continue
    }
    const end =
      (kind === LETTER && endOfSign(text, at, code)) ||
      (kind === DIGIT && endOfVersion(text, at)) ||
      endOfName(text, at)
    take(at, end)
    at = end
  }
  return true
}

/** The same for runs of letters and digits, and nothing else. */
export const readPlainRuns = (text: string, take: (start: number, end: number) => void): boolean => {
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128) return false
    const kind = KINDS[code]!
    const isWithin = kind === LETTER || kind === DIGIT
    if (isWithin && start < 0) start = at
    if (isWithin || start < 0) continue
    take(start, at)
    start = -1
  }
  if (start >= 0) take(start, text.length)
  return true
}

const kindAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 128 ? KINDS[code]! : 0
}

/** `C++`, `C#` and `F#`; 0 where it is none. */
const endOfSign = (text: string, at: number, code: number): number => {
  const small = code | 32
  if (small !== 99 && small !== 102) return 0
  const next = text.charCodeAt(at + 1)
  if (small === 99 && next === PLUS && text.charCodeAt(at + 2) === PLUS) return at + 3
  if (next !== HASH) return 0
  const behind = kindAt(text, at + 2)
  const goesOn = behind === LETTER || behind === DIGIT || text.charCodeAt(at + 2) === UNDERSCORE
  return goesOn ? 0 : at + 2
}

/** `1.2` and `10.0.1`; 0 where no dot with a number follows. */
const endOfVersion = (text: string, at: number): number => {
  let end = endOfDigits(text, at)
  let parts = 1
  while (text.charCodeAt(end) === DOT && kindAt(text, end + 1) === DIGIT) {
    end = endOfDigits(text, end + 1)
    parts++
  }
  return parts > 1 ? end : 0
}

const endOfDigits = (text: string, start: number): number => {
  let at = start
  while (kindAt(text, at) === DIGIT) at++
  return at
}

/** Letters, digits and joints, and then what hangs on an apostrophe: `don't`. */
const endOfName = (text: string, start: number): number => {
  let at = start
  while (kindAt(text, at) !== 0) at++
  while (text.charCodeAt(at) === APOSTROPHE && kindAt(text, at + 1) === LETTER) {
    at++
    while (kindAt(text, at) === LETTER) at++
  }
  return at
}
