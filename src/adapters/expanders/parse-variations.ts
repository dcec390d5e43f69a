/**
 * What models really return when they are asked for a JSON object: that, a list, JSON in a fence or cut off in the middle, bullets,
 * numbered lines, a friendly preamble, a refusal. Whatever it is, out come clean variations, or none; it never throws.
 */

import type { QuestionVariation } from '../../core/answers.js'
import type { ExpansionStrategy } from '../../core/settings.js'
import { cleanVariation, sameWords, strategyNamed } from './clean-variation.js'
import { planned } from './prompt.js'

export interface AskedFor {
  readonly question: string
  readonly count: number
  readonly strategies: readonly ExpansionStrategy[]
}

/** A text that may be a variation, with the strategy it was filed under. */
interface Raw {
  readonly text: string
  readonly strategy: ExpansionStrategy | null
}

const MOST_READ = 65_536
const MOST_TEXTS = 100

export const parseVariations = (answer: string, asked: AskedFor): readonly QuestionVariation[] => {
  const text = withoutThoughts(answer.slice(0, MOST_READ)).trim()
  const found = readJson(text) ?? readCutJson(text) ?? readLines(text)
  return choose(found.slice(0, MOST_TEXTS), asked)
}

/** Reasoning models think aloud first. */
const withoutThoughts = (text: string): string =>
  text.replace(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, '')

const readJson = (text: string): readonly Raw[] | null => {
  const fenced = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(text)?.[1]
  const start = text.search(/[{[]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  for (const candidate of [
    text,
    fenced,
    start >= 0 && end > start ? text.slice(start, end + 1) : undefined,
  ]) {
    if (candidate === undefined) continue
    try {
      const value: unknown = JSON.parse(candidate)
      if (typeof value === 'object' && value !== null) return textsIn(value, null, 0)
    } catch {
      // Not JSON: another reading may fit.
    }
  }
  return null
}

const TEXT_KEYS = ['text', 'query', 'question', 'variation', 'rewrite', 'content']
const STRATEGY_KEYS = ['strategy', 'type', 'kind']
const DEEPEST = 5

const textsIn = (value: unknown, strategy: ExpansionStrategy | null, depth: number): readonly Raw[] => {
  if (typeof value === 'string') return [{ text: value, strategy }]
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return []
  if (Array.isArray(value))
    return value.slice(0, MOST_TEXTS).flatMap(part => textsIn(part, strategy, depth + 1))
  const entries = Object.entries(value).slice(0, MOST_TEXTS)
  const named = entries.find(([key, part]) => STRATEGY_KEYS.includes(key) && typeof part === 'string')
  const own = (named && strategyNamed(named[1])) ?? strategy
  const text = entries.find(([key, part]) => TEXT_KEYS.includes(key) && typeof part === 'string')
  if (text) return [{ text: text[1], strategy: own }]
  return entries
    .filter(entry => entry !== named && !/^(?:original|note|explanation|reason)/i.test(entry[0]))
    .flatMap(([key, part]) => textsIn(part, strategyNamed(key) ?? own, depth + 1))
}

/** JSON that ends too early: the strings that are whole. */
const readCutJson = (text: string): readonly Raw[] | null => {
  const body = text.replace(/^```[a-z]*\s*/i, '')
  if (!/^(?:\{\s*"|\[\s*["{[])/.test(body)) return null
  const found: Raw[] = []
  let strategy: ExpansionStrategy | null = null
  for (const [, inner = '', colon] of body.matchAll(/"((?:[^"\\]|\\.){0,2000})"(\s*:)?/g)) {
    if (colon) strategy = strategyNamed(inner) ?? strategy
    else found.push({ text: unescaped(inner), strategy })
  }
  return found
}

const unescaped = (inner: string): string => {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return inner
  }
}

const PREAMBLE =
  /[:：]$|^(?:sure|certainly|of course|okay|ok|here (?:are|is)|hier sind|voici|aquí|claro|let me|these are|i hope|hope this|note)\b[^?]*$/iu

/** One variation a line; a line that announces the next ones may name their strategy. */
const readLines = (text: string): readonly Raw[] => {
  const found: Raw[] = []
  let strategy: ExpansionStrategy | null = null
  for (const line of text.split(/\r?\n/)) {
    const bare = line.replace(/^[\s#*_\->]+|[\s*_]+$/g, '')
    if (bare === '' || /^`{3}/.test(bare)) continue
    if (PREAMBLE.test(bare)) strategy = bare.length < 40 ? (strategyNamed(bare) ?? strategy) : strategy
    else found.push({ text: line, strategy })
  }
  return found
}

interface Filed {
  readonly text: string
  readonly strategy: ExpansionStrategy
  /** One of those that were asked for, not one too many. */
  readonly isPlanned: boolean
}

/** As many of each strategy as were asked for; then, while there is room, whatever is left of the asked strategies. */
const choose = (found: readonly Raw[], asked: AskedFor): readonly QuestionVariation[] => {
  const { question, count, strategies } = asked
  const seen = new Set<string>()
  const clean = found.flatMap(({ text, strategy }) => {
    const cleaned = cleanVariation(text, question)
    if (cleaned === null || seen.has(sameWords(cleaned.text))) return []
    seen.add(sameWords(cleaned.text))
    return [{ text: cleaned.text, strategy: strategy ?? cleaned.label }]
  })
  const filed = joinNames(file(clean, asked), question)
  return [...filed.filter(({ isPlanned }) => isPlanned), ...filed.filter(({ isPlanned }) => !isPlanned)]
    .slice(0, count)
    .sort((a, b) => strategies.indexOf(a.strategy) - strategies.indexOf(b.strategy))
    .map(({ text, strategy }) => ({ strategy, text }))
}

/** What says nothing of its strategy takes the next one that nobody has taken. */
const file = (found: readonly Raw[], { count, strategies }: AskedFor): readonly Filed[] => {
  const open: ExpansionStrategy[] = [...planned(strategies, count)]
  return found
    .filter(({ strategy }) => strategy === null || strategies.includes(strategy))
    .map(({ text, strategy }) => {
      const turn = strategy ?? open[0] ?? strategies[0]!
      const taken = open.indexOf(turn)
      if (taken >= 0) open.splice(taken, 1)
      return { text, strategy: turn, isPlanned: taken >= 0 }
    })
}

/** Asked for one text of names, many models give a list of single names. */
const joinNames = (filed: readonly Filed[], question: string): readonly Filed[] => {
  const isName = ({ text, strategy }: Filed) => strategy === 'entity' && !text.includes(' ')
  const names = filed.filter(isName).map(({ text }) => text)
  if (names.length < 2) return filed
  const rest = filed.filter(entry => !isName(entry))
  const line = names.reduce((all, name) => (all.length + name.length < LONGEST_LINE ? `${all} ${name}` : all))
  const joined = cleanVariation(line, question)
  const isNew = joined && !rest.some(({ text }) => sameWords(text) === sameWords(joined.text))
  return isNew ? [...rest, { text: joined.text, strategy: 'entity', isPlanned: true }] : rest
}

const LONGEST_LINE = 280
