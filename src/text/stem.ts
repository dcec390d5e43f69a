/**
 * Light stemming: brings the forms of a word together (`parse`, `parsed`, `parsing`, `parser`) without a dictionary.
 * Both the index and the question go through it, so a stem need not be a word, only the same for both.
 */

const SHORTEST_STEM = 4

export const stem = (word: string): string => {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word
  const singular = withoutPlural(word)
  for (const ending of ENDINGS) {
    if (!singular.endsWith(ending)) continue
    const rest = singular.slice(0, -ending.length)
    if (rest.length >= SHORTEST_STEM && /[aeiouy]/.test(rest)) return withoutFinalE(undoubled(rest))
    break
  }
  return withoutFinalE(singular)
}

/** Longest first; the first that fits is the only one tried. */
const ENDINGS = [
  'ization',
  'isation',
  'ation',
  'ating',
  'ated',
  'ator',
  'ition',
  'ing',
  'ion',
  'ate',
  'ed',
  'er',
  'or',
  'ly',
]

const withoutPlural = (word: string): string => {
  if (/ie[sd]$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  if (/[^sui]s$/.test(word)) return word.slice(0, -1)
  return word
}

/** `running` → `runn` → `run`; `calling` keeps both letters, as does `call`. */
const undoubled = (word: string): string =>
  /([bdgmnprt])\1$/.test(word) && word.length > SHORTEST_STEM ? word.slice(0, -1) : word

const withoutFinalE = (word: string): string =>
  word.length > SHORTEST_STEM && word.endsWith('e') ? word.slice(0, -1) : word
