/**
 * Every setting once: the variable and the flag that set it, and whether the file that comes with a project may. Defaults
 * stand in `profiles.ts`, what a value may be in `schema.ts`.
 */

import type { Settings } from '../core/settings.js'

/** The dotted key of a setting, as in the settings files: `multiHop.hops`. */
export type SettingKey = Leaves<Settings>

type Leaves<Table> = {
  [Key in keyof Table & string]: Table[Key] extends string | number | boolean | readonly unknown[]
    ? Key
    : string extends keyof Table[Key]
      ? Key
      : `${Key}.${Leaves<Table[Key]>}`
}[keyof Table & string]

export interface Door {
  readonly variable?: string
  readonly flag?: string
  /**
   * A project file arrives with a clone: a stranger wrote it. It may tune ranking and what is indexed, but not choose models
   * or addresses, open or close the network, or decide how much of the machine is used.
   */
  readonly forStrangers: boolean
}

const open = (variable?: string, flag?: string): Door => door(true, variable, flag)
const guarded = (variable?: string, flag?: string): Door => door(false, variable, flag)
const door = (forStrangers: boolean, variable?: string, flag?: string): Door => ({
  forStrangers,
  ...(variable && { variable }),
  ...(flag && { flag }),
})

export const doors: Readonly<Record<SettingKey, Door>> = {
  profile: open('QUARRY_PROFILE', '--profile'),
  limit: open('QUARRY_LIMIT', '--limit'),
  'lanes.top': open('QUARRY_LANES_TOP'),
  rrfK: open('QUARRY_RRF_K'),
  pool: open('QUARRY_POOL'),
  'multiHop.enabled': open('QUARRY_MULTI_HOP', '--hops'),
  'multiHop.hops': open('QUARRY_MULTI_HOP_COUNT', '--hops'),
  'multiHop.expansion': open('QUARRY_MULTI_HOP_EXPANSION'),
  'multiHop.initialMultiplier': open('QUARRY_MULTI_HOP_INITIAL_K_MULTIPLIER'),
  'priors.enabled': open('QUARRY_PRIORS'),
  'rerank.enabled': open('QUARRY_RERANK', '--no-rerank'),
  'rerank.model': guarded('QUARRY_RERANK_MODEL'),
  'rerank.weight': open('QUARRY_RERANK_WEIGHT'),
  'recency.weight': open('QUARRY_RECENCY_WEIGHT'),
  'recency.decayDays': open('QUARRY_RECENCY_DECAY_DAYS'),
  'diversity.maxPerFile': open('QUARRY_MAX_PER_FILE', '--max-per-file'),
  'multiQuery.enabled': guarded('QUARRY_MULTI_QUERY', '--multi-query'),
  'multiQuery.variations': guarded('QUARRY_MULTI_QUERY_VARIATIONS', '--multi-query-variations'),
  'multiQuery.strategies': guarded('QUARRY_MULTI_QUERY_STRATEGIES', '--multi-query-strategies'),
  'multiQuery.includeOriginal': open('QUARRY_MULTI_QUERY_INCLUDE_ORIGINAL'),
  'multiQuery.originalWeight': open('QUARRY_MULTI_QUERY_ORIGINAL_WEIGHT'),
  'expander.kind': guarded('QUARRY_EXPANDER', '--expander'),
  'expander.baseUrl': guarded('QUARRY_EXPANDER_BASE_URL'),
  'expander.model': guarded('QUARRY_EXPANDER_MODEL'),
  'expander.timeoutMs': guarded('QUARRY_EXPANDER_TIMEOUT_MS'),
  'expander.cache': guarded('QUARRY_EXPANDER_CACHE'),
  'expander.privateHosts': guarded('QUARRY_EXPANDER_PRIVATE_HOSTS'),
  'embedding.models': guarded('QUARRY_EMBEDDING_MODELS'),
  'embedding.furtherModelsBelow': guarded('QUARRY_EMBEDDING_FURTHER_MODELS_BELOW'),
  'embedding.maxTokens': guarded('QUARRY_EMBEDDING_MAX_TOKENS'),
  'embedding.threads': guarded('QUARRY_EMBEDDING_THREADS'),
  'history.enabled': open('QUARRY_HISTORY', '--no-history'),
  'history.refs': open('QUARRY_HISTORY_REFS', '--refs'),
  'history.maxCommits': open('QUARRY_HISTORY_MAX_COMMITS', '--max-commits'),
  'history.limit': open('QUARRY_HISTORY_LIMIT', '--limit'),
  'history.recencyWeight': open('QUARRY_HISTORY_RECENCY_WEIGHT'),
  'history.maxPerFile': open('QUARRY_HISTORY_MAX_PER_FILE', '--max-per-file'),
  'notes.recencyWeight': open('QUARRY_NOTES_RECENCY_WEIGHT'),
  'notes.maxPerSession': open('QUARRY_NOTES_MAX_PER_SESSION', '--max-per-session'),
  'index.maxFileBytes': open('QUARRY_MAX_FILE_BYTES'),
  'index.ignore': open('QUARRY_IGNORE'),
  'index.include': open('QUARRY_INCLUDE'),
  'index.chunkCharacters': open('QUARRY_CHUNK_CHARACTERS'),
  'index.workers': guarded('QUARRY_WORKERS'),
  offline: guarded('QUARRY_OFFLINE', '--offline'),
  'models.hub': guarded('QUARRY_MODELS_HUB'),
  'models.registry': guarded('QUARRY_MODELS_REGISTRY'),
  'models.paths': guarded(),
}

export const settingKeys = Object.keys(doors) as readonly SettingKey[]

export const valueAt = (settings: Settings, key: SettingKey): unknown =>
  key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], settings)
