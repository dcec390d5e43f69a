/** Who rewrites a question: the asker, a service that the settings name, or the index itself. Secrets never leave the machine. */

import { join } from 'node:path'
import { ANTHROPIC, anthropic } from '../adapters/expanders/anthropic.js'
import { cached, purgeExpansions } from '../adapters/expanders/cached.js'
import { caller, MOST_CALLER_QUERIES } from '../adapters/expanders/caller.js'
import { OPENAI, openAiCompatible } from '../adapters/expanders/openai-compatible.js'
import type { Directories, Environment } from '../config/directories.js'
import { type ExpanderKey, findExpanderKey } from '../config/expander-key.js'
import { QuarryError } from '../core/errors.js'
import type { Expander, IndexReader } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { Warning } from '../core/types.js'
import { redact } from '../present/redact.js'
import { localExpander } from '../retrieval/local-expander.js'
import type { Finding, SearchRequest } from './api.js'

export interface Expanders {
  /** null where one wording is enough. */
  chosen(
    request: SearchRequest,
    index: IndexReader,
  ): { readonly expander: Expander | null; readonly warnings: readonly Warning[] }
  /** Deletes the rewrites that were kept. */
  purge(): Promise<number>
  finding(deep: boolean): Promise<Finding>
}

export interface ExpanderParts {
  readonly settings: Settings
  readonly environment: Environment
  readonly directories: Directories
  readonly now: () => number
}

const LONGEST_QUERY = 32_768

export const openExpanders = (parts: ExpanderParts): Expanders => {
  const { settings, directories } = parts
  const directory = join(directories.cache, 'expansions')
  const kind = kindOf(settings)
  // One for the life of the engine: it remembers whether the service has been failing.
  let asked: { readonly expander: Expander; readonly warnings: readonly Warning[] } | undefined

  const openService = (): { readonly expander: Expander; readonly warnings: readonly Warning[] } => {
    const { service, key, baseUrl } = serviceOf(parts)
    const { cache } = settings.expander
    const expander = cache ? cached(service, { directory, origin: baseUrl, now: parts.now }) : service
    return { expander: withoutSecrets(expander), warnings: key.warnings }
  }

  return {
    chosen({ queries = [] }, index) {
      if (queries.length > 0) return { expander: caller(checkQueries(queries)), warnings: [] }
      if (!settings.multiQuery.enabled || kind === 'none') return { expander: null, warnings: [] }
      if (kind === 'local') return { expander: localExpander(index), warnings: [] }
      if (settings.offline) return { expander: null, warnings: [offline(kind)] }
      try {
        asked ??= openService()
        return asked
      } catch (error) {
        if (!(error instanceof QuarryError)) throw error
        const { message, hint = 'quarry config expander' } = error
        return { expander: null, warnings: [{ code: 'EXPANSION_FAILED', message, hint }] }
      }
    },
    purge: () => purgeExpansions(directory),
    finding: deep => findingOf(parts, kind, deep),
  }
}

/** Whoever sets an address or a model means a service; a key that happens to be in the environment does not say so. */
const kindOf = ({ expander: { kind, baseUrl, model }, offline }: Settings) => {
  if (kind !== 'auto') return kind
  return (baseUrl !== '' || model !== '') && !offline ? 'openai' : 'local'
}

const MAKERS = {
  openai: { ...OPENAI, variable: 'OPENAI_API_KEY', open: openAiCompatible },
  anthropic: { ...ANTHROPIC, variable: 'ANTHROPIC_API_KEY', open: anthropic },
} as const

const serviceOf = (
  parts: ExpanderParts,
): { readonly service: Expander; readonly key: ExpanderKey; readonly baseUrl: string } => {
  const { expander: chosen } = parts.settings
  const maker = MAKERS[kindOf(parts.settings) === 'anthropic' ? 'anthropic' : 'openai']
  const baseUrl = chosen.baseUrl || maker.baseUrl
  const isMakers = new URL(baseUrl).origin === new URL(maker.baseUrl).origin
  if (!isMakers && chosen.model === '')
    throw new QuarryError('BAD_CONFIG', 'expander.baseUrl is set, but no model', {
      hint: 'set QUARRY_EXPANDER_MODEL',
    })
  const key = findExpanderKey(parts.environment, parts.directories.config, isMakers ? maker.variable : null)
  if (isMakers && key.key === null)
    throw new QuarryError(
      'BAD_CONFIG',
      key.warnings[0]?.message ?? `There is no key for ${new URL(baseUrl).host}`,
      {
        hint: key.warnings[0]?.hint ?? `set QUARRY_EXPANDER_KEY or ${maker.variable}`,
      },
    )
  const { timeoutMs, privateHosts } = chosen
  const model = chosen.model || maker.model
  return { service: maker.open({ baseUrl, model, key: key.key, timeoutMs, privateHosts }), key, baseUrl }
}

/** For several searches of one question: what an expander wrote for the first, or its failure, is shared by the others. */
export const askOnce = (): Share => {
  const answers = new Map<string, ReturnType<Expander['expand']>>()
  return expander => ({
    id: expander.id,
    expand(request, signal) {
      // Each index has words of its own.
      if (expander.id === 'local') return expander.expand(request, signal)
      const key = JSON.stringify([expander.id, request])
      const before = answers.get(key) ?? expander.expand(request, signal)
      answers.set(key, before)
      return before
    },
  })
}

/** Puts something between a search and its expander. */
export type Share = (expander: Expander) => Expander

/** A question may quote a line with a key in it: nobody outside needs that to reword it. */
const withoutSecrets = (expander: Expander): Expander => ({
  id: expander.id,
  expand: (request, signal) => expander.expand({ ...request, question: redact(request.question) }, signal),
})

const checkQueries = (queries: readonly string[]): readonly string[] => {
  if (queries.length > MOST_CALLER_QUERIES)
    throw new QuarryError(
      'BAD_INPUT',
      `There are ${queries.length} further queries; ${MOST_CALLER_QUERIES} are allowed`,
    )
  const wrong = queries.find(query => typeof query !== 'string' || query.length > LONGEST_QUERY)
  if (wrong !== undefined)
    throw new QuarryError(
      'BAD_INPUT',
      `A further query must be a text of at most ${LONGEST_QUERY} characters`,
    )
  return queries
}

const offline = (kind: string): Warning => ({
  code: 'EXPANSION_FAILED',
  message: `Searched with the question alone: offline, so ${kind} was not asked`,
  hint: '--expander local',
})

const findingOf = async (parts: ExpanderParts, kind: string, deep: boolean): Promise<Finding> => {
  const subject = 'expander'
  const when = parts.settings.multiQuery.enabled ? '' : ', with --multi-query'
  if (kind === 'none') return { subject, state: 'ok', message: 'none: only the caller words questions anew' }
  if (kind === 'local')
    return {
      subject,
      state: 'ok',
      message: `local: words of the first results, nothing leaves this machine${when}`,
    }
  try {
    const { service, key, baseUrl } = serviceOf(parts)
    const [warning] = key.warnings
    const secret = key.origin === null ? 'without a key' : `key from ${key.origin}`
    if (warning)
      return {
        subject,
        state: 'warning',
        message: warning.message,
        ...(warning.hint && { hint: warning.hint }),
      }
    const who = `${service.id} at ${new URL(baseUrl).host}, ${secret}`
    if (!deep || parts.settings.offline)
      return { subject, state: 'ok', message: `${who}${when}; not asked, --deep does` }
    const { variations } = await service.expand({
      question: 'where are requests retried',
      count: 1,
      strategies: ['paraphrase'],
      firstResults: async () => [],
    })
    return { subject, state: 'ok', message: `${who} answers: ${variations[0]!.text}` }
  } catch (error) {
    const { message, hint } = error as QuarryError
    return { subject, state: 'warning', message, ...(hint && { hint }) }
  }
}
