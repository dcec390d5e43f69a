/** Who rewrites a question: the asker, a service that the settings name, or the index itself. Secrets never leave the machine. */

import { join } from 'node:path'
import { caller, MOST_CALLER_QUERIES } from '../adapters/expanders/caller.js'
import type { Directories, Environment } from '../config/directories.js'
import type { Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { Expander, IndexReader } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { ChunkKind } from '../core/types.js'
import { localExpander } from '../retrieval/local-expander.js'
import type { Finding, SearchRequest } from './api.js'
import type { OpenedService } from './expander-service.js'

export interface Expanders {
  /** null where one wording is enough. */
  chosen(
    request: SearchRequest,
    index: IndexReader,
    source: ChunkKind,
  ): Promise<{ readonly expander: Expander | null; readonly warnings: readonly Warning[] }>
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
  const kept = join(directories.cache, 'expansions')
  const kind = kindOf(settings)
  // One for the life of the engine: it remembers whether the service has been failing.
  let asked: OpenedService | undefined

  return {
    async chosen({ queries = [] }, index, source) {
      if (queries.length > 0) return { expander: caller(checkQueries(queries)), warnings: [] }
      if (!settings.multiQuery.enabled || kind === 'none') return { expander: null, warnings: [] }
      if (kind === 'local' && source === 'note' && settings.expander.kind === 'auto')
        return { expander: null, warnings: [NOT_FOR_NOTES] }
      if (kind === 'local') return { expander: localExpander(index), warnings: [] }
      if (settings.offline) return { expander: null, warnings: [offline(kind)] }
      try {
        const { openService } = await import('./expander-service.js')
        asked ??= openService({ ...parts, kind, kept })
        return asked
      } catch (error) {
        if (!(error instanceof QuarryError)) throw error
        const { message, hint = 'quarry config expander' } = error
        return {
          expander: null,
          warnings: [
            { code: 'EXPANSION_FAILED', message: `Searched with the question alone: ${message}`, hint },
          ],
        }
      }
    },
    async purge() {
      const { purgeExpansions } = await import('../adapters/expanders/cached.js')
      return purgeExpansions(kept)
    },
    async finding(deep) {
      const subject = 'expander'
      if (kind === 'none')
        return { subject, state: 'ok', message: 'none: only the caller words questions anew' }
      if (kind === 'local')
        return {
          subject,
          state: 'ok',
          message: 'local: words of the first results, nothing leaves this machine',
        }
      const { examineService } = await import('./expander-service.js')
      return examineService({ ...parts, kind, kept }, deep)
    },
  }
}

/** Words of the first results cost .013 nDCG@10 on the memory set, where a model's rewrites gain .015 (docs/multi-query.md). */
const NOT_FOR_NOTES: Warning = {
  code: 'EXPANSION_LEFT_OUT',
  message: 'Notes are searched with the question alone: words of the first results make their answers worse',
  hint: 'name a service (docs/multi-query.md), word it yourself with --query, or insist with --expander local',
}

/** Whoever sets an address or a model means a service; a key that happens to be in the environment does not say so. */
const kindOf = ({ expander: { kind, baseUrl, model }, offline }: Settings) => {
  if (kind !== 'auto') return kind
  return (baseUrl !== '' || model !== '') && !offline ? 'openai' : 'local'
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
