/** First stage of the query path: a question becomes a plan. */

import type { IndexReader } from '../core/ports.js'
import type { ChangedLines, ChunkFilter, Period, QuestionKind, WeighedTerm } from '../core/questions.js'
import type { Settings } from '../core/settings.js'
import type { ChunkKind } from '../core/types.js'
import { isStopWord } from '../text/stop-words.js'
import { tokenise } from '../text/tokenise.js'
import type { Plan } from './plan.js'
import { readSpeakers } from './read-speakers.js'

/** Longer questions are cut, with a warning: nobody's question is longer, and work must be bounded. */
export const LONGEST_QUESTION = 32_768
const MOST_TERMS = 64
const STOP_WORD_WEIGHT = 0.1
/** A report says in its title what it is about; the body adds detail. Measured on issue texts (EVIDENCE §4). */
const TITLE_WEIGHT = 5
const REPORT_WORDS = 40
const PROSE_CHARACTERS = 1_000
/** Who is meant is weighed by the speaker of a turn; as a word a name fits every turn that greets. */
const SPEAKER_WEIGHT = 0.3
const EVERY_LANE = { vector: 1, text: 1, symbol: 1 } as const

export const understand = async (
  question: string,
  index: IndexReader,
  options: {
    readonly source: ChunkKind
    readonly settings: Settings
    readonly filter: ChunkFilter
    readonly lines?: ChangedLines
    readonly period?: Period
    readonly speakers?: readonly string[]
    readonly limit: number
    readonly now: number
  },
): Promise<Plan> => {
  const text = question.replaceAll('\0', ' ').toWellFormed().slice(0, LONGEST_QUESTION).trim()
  const kind = kindOf(text)
  const inHistory = options.source === 'hunk'
  const report = kind === 'report' ? readReport(text, inHistory) : { title: text, body: '' }
  const speakers = readSpeakers(text, options.speakers ?? [])
  const terms = (await weigh(report, index, options.source)).map(term =>
    speakers.isName(term.token) ? { ...term, weight: term.weight * SPEAKER_WEIGHT } : term,
  )
  const prose = inHistory ? withoutCode(report.body) : report.body
  const passages = report.body === '' ? [speakers.rest] : [report.title, prose.slice(0, PROSE_CHARACTERS)]
  const inTitle = new Set(tokenise(report.title))
  return {
    question: text,
    kind,
    terms,
    titleTerms: terms.filter(({ token }) => inTitle.has(token)),
    names: namesIn(text),
    passages: passages.filter(passage => passage.trim() !== ''),
    asked: { terms, passages, weights: EVERY_LANE, depth: options.settings.lanes.top, isOriginal: true },
    ...options,
    speakers: speakers.named,
    ...contentOf(speakers.rest, terms),
  }
}

/** Its words that carry meaning, as written, and the rarity of each. */
const contentOf = (
  text: string,
  terms: readonly WeighedTerm[],
): Pick<Plan, 'contentWords' | 'contentRarities'> => {
  const rarities = new Map(terms.map(({ token, rarity }) => [token, rarity]))
  // A word that stands nowhere in the index may be like one that does.
  const rarest = Math.max(1, ...rarities.values())
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
    .filter(word => !isStopWord(word))
    .slice(0, MOST_TERMS)
  return {
    contentWords: words,
    contentRarities: words.map(word => rarities.get(tokenise(word)[0] ?? '') ?? rarest),
  }
}

/** One word is a name to look up; many words or several lines are a report; the rest are questions. */
const kindOf = (text: string): QuestionKind => {
  const words = text.split(/\s+/).filter(Boolean)
  if (words.length <= 1) return 'symbol'
  return words.length > REPORT_WORDS || text.includes('\n') ? 'report' : 'question'
}

/** Title and body without what only machines wrote: addresses, comments of issue templates. */
const readReport = (text: string, inHistory: boolean): { title: string; body: string } => {
  const cleaned = text.replace(/<!--[\s\S]*?(?:-->|$)/g, ' ').replace(/https?:\/\/\S+/g, ' ')
  const [title = '', ...lines] = cleaned.trim().split('\n')
  const rest = inHistory ? lines.filter(line => !isNoise(line)).map(withoutTags) : lines
  return title.length > 300 ? { title: title.slice(0, 300), body: cleaned } : { title, body: rest.join('\n') }
}

/** Frames of a stack, lists of versions, and rules: the words of machines, which fit any commit. */
const isNoise = (line: string): boolean =>
  /^\s*(?:File "[^"]*", line \d+|at .*[(:]\d+(?::\d+)?\)?\s*$|\S+(?:\s+|==)v?\d+\.\d+(?:\.\S+)*\s*$|[=\-_*~#]{3,}\s*$)/.test(
    line,
  )

const withoutTags = (line: string): string =>
  line.replace(/!\[[^\]]*\]\([^)]*\)/g, ' ').replace(/<\/?[a-z][^>]{0,200}>/gi, ' ')

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?(?:```|$)/g, ' ')

/**
 * Weight is how often the question says a word. For code stop words keep a part of it; for commits and notes they are left out. Of
 * commits repetition counts by its root: a report repeats itself.
 */
const weigh = async (
  { title, body }: { title: string; body: string },
  index: IndexReader,
  source: ChunkKind,
): Promise<readonly WeighedTerm[]> => {
  const inHistory = source === 'hunk'
  const counts = new Map<string, number>()
  const titleWeight = body === '' ? 1 : TITLE_WEIGHT
  for (const token of [...tokenise(title), ...compoundsIn(title)])
    counts.set(token, (counts.get(token) ?? 0) + titleWeight)
  for (const token of tokenise(body)) counts.set(token, (counts.get(token) ?? 0) + 1)
  const asked = [...counts].filter(([token]) => source === 'code' || !isStopWord(token))
  const { total, counts: documents } = await index.frequencies(asked.map(([token]) => token))
  return asked
    .filter(([token]) => (documents.get(token) ?? 0) > 0)
    .map(([token, count]) => ({
      token,
      weight: inHistory ? Math.sqrt(count) : count * (isStopWord(token) ? STOP_WORD_WEIGHT : 1),
      rarity: rarity(documents.get(token)!, total),
    }))
    .sort((a, b) => b.weight * b.rarity - a.weight * a.rarity)
    .slice(0, MOST_TERMS)
}

/**
 * Neighbouring words of a question as the one identifier they may be in code: `thread pool` → threadpool. A compound that no
 * chunk holds costs nothing; one that does is rare and says a lot.
 */
const compoundsIn = (text: string): readonly string[] => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const singular = words.map(word => word.replace(/([^su])s$/, '$1'))
  return words.slice(1).flatMap((word, position) => {
    const before = words[position]!
    if (isStopWord(before) || isStopWord(word)) return []
    return [...new Set([before + word, before + singular[position + 1]!])]
  })
}

/** The terms of a single line of text. */
export const weighTerms = (
  text: string,
  index: IndexReader,
  source: ChunkKind,
): Promise<readonly WeighedTerm[]> => weigh({ title: text, body: '' }, index, source)

const rarity = (documents: number, total: number): number =>
  Math.log(1 + (total - documents + 0.5) / (documents + 0.5))

const namesIn = (text: string): readonly string[] => {
  const names = text.match(/[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|\.|->|#)[\p{L}_$][\p{L}\p{N}_$]*)*/gu) ?? []
  const isName = (word: string) => /[_$#.:]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|->/u.test(word)
  return [...new Set(/\s/.test(text.trim()) ? names.filter(isName) : names)].slice(0, 20)
}
