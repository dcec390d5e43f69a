/** What an answer is narrowed by, checked before anything is read: a filter that can fit nothing is an error, or the answer says so. */

import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { nearest } from '../config/nearest.js'
import type { Answer, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { ChunkFilter } from '../core/questions.js'
import type { ChunkKind } from '../core/types.js'
import { compileGlobs } from '../text/glob.js'
import { isLanguage, LANGUAGES } from '../text/language.js'
import type { SearchRequest } from './api.js'

type Asked<What, Request> = (what: What, request?: Request) => Promise<Answer>

/** The same with a sound filter; `source` is absent where several kinds are asked. */
export const narrowing =
  (root: string) =>
  <What, Request extends SearchRequest>(
    ask: Asked<What, Request>,
    source?: ChunkKind,
  ): Asked<What, Request> =>
  async (what, request) => {
    if (request?.filter === undefined) return ask(what, request)
    const filter = soundFilter(request.filter, root)
    const answer = await ask(what, { ...request, filter })
    const warnings = source === undefined ? [] : elsewhere(filter, source)
    return sayWhyNothing({ ...answer, warnings: [...answer.warnings, ...warnings] }, filter)
  }

const soundFilter = (filter: ChunkFilter, root: string): ChunkFilter => {
  for (const language of filter.languages ?? []) if (!isLanguage(language)) throw unknownLanguage(language)
  const paths = filter.paths?.map(path => belowRoot(path, root))
  if (paths !== undefined) compileGlobs(paths)
  return paths === undefined ? filter : { ...filter, paths }
}

const unknownLanguage = (language: string): QuarryError => {
  const near = nearest(language, LANGUAGES)
  return new QuarryError('BAD_INPUT', `There is no language ${JSON.stringify(language.slice(0, 60))}`, {
    hint: near === undefined ? `known are ${LANGUAGES.join(', ')}` : `did you mean ${near}?`,
  })
}

const VERBS: Readonly<Record<ChunkKind, string>> = { code: 'search', hunk: 'find', note: 'recall' }
const CONTENTS: Readonly<Record<ChunkKind, string>> = { code: 'code', hunk: 'history', note: 'notes' }

/** What is asked of the wrong place: nothing is found by it, but something else would find it. */
const elsewhere = ({ kinds = [], author }: ChunkFilter, source: ChunkKind): readonly Warning[] => {
  const other = kinds.find(kind => kind !== source)
  if (other !== undefined) {
    const message = `This looks at ${CONTENTS[source]}, not at the kind ${other}`
    const hint = kinds.includes(source)
      ? `quarry ask "…" ${kinds.map(kind => `--kind ${kind}`).join(' ')}`
      : `quarry ${VERBS[other]} "…"`
    return [{ code: 'NOTHING_FITS', message, hint }]
  }
  if (author === undefined || source !== 'code') return []
  const hint = `quarry find "…" --author ${JSON.stringify(author)}`
  return [{ code: 'NOTHING_FITS', message: 'Code has no author: commits have', hint }]
}

/** Shells and editors hand out whole paths: what lies below the root is meant by them. */
const belowRoot = (pattern: string, root: string): string => {
  const [, not = '', path = ''] = /^(!?)(.*)$/s.exec(pattern)!
  if (!isAbsolute(path)) return pattern
  const wild = path.search(/[*?[{\\]/)
  const fixed = wild === -1 ? path : path.slice(0, path.lastIndexOf('/', wild) + 1)
  const below = relative(root, realPath(fixed))
  // A leading slash also stands for the root itself: what lies elsewhere is left as it is.
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return pattern
  return `${not}${join(below, path.slice(fixed.length) || (below === '' ? '**' : '')).replaceAll(sep, '/')}`
}

const realPath = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const sayWhyNothing = (answer: Answer, filter: ChunkFilter): Answer => {
  const { languages = [], paths = [], author, since, until } = filter
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
  const said = [
    languages.length > 0 && `language ${languages.join(', ')}`,
    paths.length > 0 && `path ${paths.join(' ')}`,
    author !== undefined && `author ${author}`,
    since !== undefined && `since ${day(since)}`,
    until !== undefined && `until ${day(until)}`,
  ].filter(Boolean)
  // Who said already why there is nothing has said enough.
  const isTold = answer.warnings.some(({ code }) => REASONS.has(code))
  if (answer.hits.length > 0 || said.length === 0 || isTold) return answer
  const message = `Nothing that fits was found: ${said.join(', ')}`
  const warning = { code: 'NOTHING_FITS', message, hint: 'ask without the filter' }
  return { ...answer, warnings: [...answer.warnings, warning] }
}

const REASONS: ReadonlySet<string> = new Set([
  ...['EMPTY_QUESTION', 'NOTHING_FITS', 'NO_FILES', 'BARE_REPOSITORY', 'NO_NOTES'],
])
