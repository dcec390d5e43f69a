/** Of notes: who the question speaks of. Names say who, not what: embedders do better without them, and as words they say little. */

export interface SpeakersRead {
  /** Of all who speak, those that are named. */
  readonly named: readonly string[]
  /** The question without their names, unless nothing else is left. */
  readonly rest: string
  /** Whether a word is a part of one of the names. */
  isName(word: string): boolean
}

const SHORTEST_NAME = 2

export const readSpeakers = (question: string, speakers: readonly string[]): SpeakersRead => {
  const asked = new Set(wordsIn(question))
  const named = speakers.filter(speaker => wordsIn(speaker).some(word => asked.has(word)))
  const names = new Set(named.flatMap(wordsIn))
  const isName = (word: string): boolean => names.has(word.toLowerCase())
  const rest = question
    .replace(/([\p{L}\p{N}]+)(?:['’]s)?/gu, (whole, word: string) => (isName(word) ? '' : whole))
    .replace(/\s+/g, ' ')
    .trim()
  return { named, rest: /[\p{L}\p{N}]/u.test(rest) ? rest : question, isName }
}

const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => word.length >= SHORTEST_NAME)
