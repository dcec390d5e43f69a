/**
 * What programs hand to the front door, checked by name before anything is done: types do not hold at run time, and an option that is
 * ignored is worse than one that is refused. By hand, because the library that checks settings takes longer to load than an answer.
 */

import { nearest } from '../config/nearest.js'
import { QuarryError } from '../core/errors.js'
import type { ChunkFilter } from '../core/questions.js'
import type { ExplainRequest, IndexRequest, LinesPlace, OpenOptions, Quarry, SearchRequest } from './api.js'
import type { RecallRequest } from './notes/api.js'

interface Rule {
  readonly expected: string
  holds(value: unknown): boolean
}

/** A rule for each option that there is, and for no other. */
type Rules<Options> = { readonly [Name in keyof Options]-?: Rule }

export const checkOpenOptions = (options: unknown): void => check('openQuarry', options, OPEN)

/** The same functions, each deaf to nothing that it is given. */
export const checked = (quarry: Quarry): Quarry => {
  const asking =
    <Request, Result>(
      name: string,
      rules: object,
      ask: (question: string, request?: Request) => Promise<Result>,
    ) =>
    async (question: string, request?: Request): Promise<Result> => {
      if (typeof question !== 'string') throw wrong(name, 'the question', text.expected, question)
      check(name, request, rules)
      return ask(question, request)
    }
  return {
    ...quarry,
    index: async request => {
      check('index', request, INDEX)
      return quarry.index(request)
    },
    search: asking('search', SEARCH, quarry.search),
    find: asking('find', SEARCH, quarry.find),
    ask: asking('ask', SEARCH, quarry.ask),
    recall: asking('recall', RECALL, quarry.recall),
    similar: async (place, request) => {
      check('similar', place, PLACE)
      check('similar', request, SEARCH)
      return quarry.similar(place, request)
    },
    explain: async (place, request) => {
      check('explain', place, LINES_PLACE)
      check('explain', request, EXPLAIN)
      return quarry.explain(place, request)
    },
  }
}

const check = (name: string, options: unknown, rules: object): void => {
  if (options === undefined) return
  if (typeof options !== 'object' || options === null) throw wrong(name, 'the options', 'an object', options)
  for (const key of Object.keys(options)) {
    const rule = Object.hasOwn(rules, key) ? (rules as Record<string, Rule>)[key] : undefined
    if (rule === undefined) throw unknown(name, key, Object.keys(rules))
    const value = (options as Record<string, unknown>)[key]
    if (value === undefined) continue
    if (key === 'filter') check(`${name}, filter`, value, FILTER)
    else if (!rule.holds(value)) throw wrong(name, key, rule.expected, value)
  }
}

const unknown = (name: string, key: string, known: readonly string[]): QuarryError => {
  const guess = nearest(key.slice(0, 100), known)
  const hint = `${guess === undefined ? '' : `did you mean ${guess}? `}there are ${known.join(', ')}`
  return new QuarryError('BAD_INPUT', `${name}: there is no option ${JSON.stringify(key.slice(0, 100))}`, {
    hint,
  })
}

const wrong = (name: string, key: string, expected: string, value: unknown): QuarryError => {
  const given =
    typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : Object.prototype.toString.call(value)
  const shown = typeof value === 'number' || typeof value === 'boolean' ? String(value) : given
  return new QuarryError('BAD_INPUT', `${name}: ${key} must be ${expected}, not ${shown}`)
}

const rule = (expected: string, holds: Rule['holds']): Rule => ({ expected, holds })
const oneOf = (...words: readonly unknown[]): Rule => rule(words.join(' or '), value => words.includes(value))
const listOf = (one: Rule): Rule =>
  rule(`a list, each ${one.expected}`, value => Array.isArray(value) && value.every(one.holds))

const text = rule('a string', value => typeof value === 'string')
const truth = rule('true or false', value => typeof value === 'boolean')
const time = rule('a number of milliseconds', Number.isFinite)
const whole = rule('a whole number from 0', value => Number.isInteger(value) && (value as number) >= 0)
const line = rule('a whole number', Number.isInteger)
const called = rule('a function', value => typeof value === 'function')
const record = rule('an object', value => typeof value === 'object' && value !== null)
const signal = rule('an AbortSignal', value => record.holds(value) && 'aborted' in (value as object))
/** Whoever uses it says itself what is wrong. */
const anything = rule('anything', () => true)

const OPEN: Rules<OpenOptions> = {
  ...{ root: text, overrides: record, environment: record, trust: truth, watch: truth, now: called },
}
const INDEX: Rules<IndexRequest> = {
  ...{ stage: oneOf('first', 'full'), rebuild: truth, only: oneOf('notes') },
  history: rule('true, false or a scope', value => truth.holds(value) || record.holds(value)),
  ...{ onProgress: called, signal },
}
const SEARCH: Rules<SearchRequest> = {
  ...{
    limit: anything,
    filter: record,
    lines: oneOf('added', 'removed'),
    exactSymbols: truth,
    explain: truth,
  },
  ...{ rerank: truth, maxPerFile: whole, queries: listOf(text), refresh: oneOf('auto', 'never') },
  ...{ onProgress: called, signal },
}
const RECALL: Rules<RecallRequest> = {
  ...SEARCH,
  session: text,
  tags: listOf(text),
  speaker: text,
  now: time,
}
const FILTER: Rules<ChunkFilter> = {
  ...{ kinds: listOf(oneOf('code', 'hunk', 'note')), languages: listOf(text), paths: listOf(text) },
  ...{ author: text, since: time, until: time, documents: listOf(text), speaker: text },
}
const PLACE = { path: text, line, id: text }
const LINES_PLACE: Rules<LinesPlace> = { path: text, startLine: line, endLine: line }
const EXPLAIN: Rules<ExplainRequest> = {
  ...{ limit: anything, at: text, ignoreWhitespace: truth, related: truth, signal },
}
