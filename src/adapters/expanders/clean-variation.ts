/** One rewrite as a model wrote it becomes a plain line, or nothing: bullets, quotes and labels go, so does what is no rewrite. */

import type { ExpansionStrategy } from '../../core/settings.js'

const LONGEST = 300
const MOST_WORDS = 60

export interface Cleaned {
  readonly text: string
  /** What a label in front of it said. */
  readonly label: ExpansionStrategy | null
}

/** null where it is empty, too long, a refusal, the question again, or tries to be more than a question. */
export const cleanVariation = (raw: string, question: string): Cleaned | null => {
  const { text, label } = strip(raw)
  if (!/[\p{L}\p{N}]/u.test(text)) return null
  if (text.length > LONGEST || text.split(' ').length > MOST_WORDS) return null
  if (sameWords(text) === sameWords(question)) return null
  if (REFUSAL.test(text) || isIntrusive(text, question) || isForeign(text, question)) return null
  return { text, label }
}

/** What two wordings have in common when only their words count. */
export const sameWords = (text: string): string => {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
  return words === '' ? text.trim() : words
}

const STRATEGY_NAMES: readonly (readonly [RegExp, ExpansionStrategy])[] = [
  [/^para?phras/, 'paraphrase'],
  [/^(?:entit|keyword|identifier|name)/, 'entity'],
  [/^(?:stepback|general|broader)/, 'step-back'],
  [/^(?:decompos|sub)/, 'decompose'],
]

/** `step_back`, `Step-back question 2`, `entities` … */
export const strategyNamed = (name: string): ExpansionStrategy | null => {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  return STRATEGY_NAMES.find(([pattern]) => pattern.test(letters))?.[1] ?? null
}

const MARKER = /^(?:[-*•‣◦▪·–—>#]+\s+|[([]?\d{1,2}[.):\]]\s+|[•‣◦▪·]\s*|\*\*\s*)/u
const LABEL =
  /^[*_[\]("']*((?:paraphras|entit|keyword|step[\s_-]?back|decompos|sub[\s_-]?quer|sub[\s_-]?question)[a-z]*(?:\s+(?:query|question))?|(?:query|question|variation|rewrite|rewritten query|alternative))\s*\d{0,2}[*_\])"']*\s*[:：]\s*[*_]*\s*/iu
const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
  ['**', '**'],
]

/** Until nothing changes any more, so that a cleaned line stays as it is. */
const strip = (raw: string): Cleaned => {
  let text = plain(raw)
  let label: ExpansionStrategy | null = null
  for (;;) {
    const before = text
    text = text.replace(MARKER, '')
    const named = LABEL.exec(text)
    if (named) {
      label = strategyNamed(named[1]!) ?? label
      text = text.slice(named[0].length)
    }
    text = text.replace(/[,;\s]+$/, '')
    for (const [opening, closing] of QUOTES)
      if (text.length > opening.length + closing.length && text.startsWith(opening) && text.endsWith(closing))
        text = text.slice(opening.length, -closing.length)
    text = text.trim()
    if (text === before) return { text, label }
  }
}

/** Control characters, directions and invisible ones: no reader should meet them, no lane needs them. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, 4 * LONGEST)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()

const REFUSAL =
  /^(?:i['’]?m (?:sorry|afraid|unable)|i am (?:sorry|unable)|sorry\b|unfortunately\b|i (?:can(?:not|['’]t)|won['’]t|am not able)|as an? (?:ai|language model)|my apologies|lo siento|no puedo|je suis désolé|désolé|je ne peux pas|es tut mir leid|ich kann (?:das |diese |dir |ihnen )?(?:leider )?nicht|desculpe|mi dispiace|извините|к сожалению|抱歉|对不起|很抱歉|申し訳|죄송)/iu

const INTRUSIVE =
  /<\/?(?:system|user|assistant|tool|function|script|iframe|img)[\w-]*[\s/>]|<\||\|>|\[\/?INST\]|```|\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules?|above|previous)\b|\bsystem prompt\b/iu

/** Speaks to a model, or leads somewhere that the question does not speak of. */
const isIntrusive = (text: string, question: string): boolean =>
  (INTRUSIVE.test(text) && !INTRUSIVE.test(question)) ||
  (/\bhttps?:\/\//i.test(text) && !/\bhttps?:\/\//i.test(question))

/** A question in Latin letters is not answered in another script; the other way round names may well be. */
const isForeign = (text: string, question: string): boolean =>
  /\p{Script=Latin}/u.test(question) && !/[\p{Script=Latin}\p{N}]/u.test(text)
