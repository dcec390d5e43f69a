/** The flags that several commands share: how they are read, and what they mean to the engine. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import { QuarryError } from '../core/errors.js'
import type { ChangedLines, ChunkFilter } from '../core/questions.js'
import type { ChunkKind } from '../core/types.js'
import type { Detail } from '../present/text.js'
import { languagesNamed } from '../text/language-names.js'
import { parseMoment } from '../text/moments.js'

export interface CommonFlags {
  readonly repo?: string
  readonly offline?: boolean
  readonly json?: boolean
}

export interface SearchFlags extends CommonFlags {
  readonly limit?: number
  readonly language?: readonly string[]
  readonly path?: readonly string[]
  readonly kind?: readonly ChunkKind[]
  readonly author?: string
  readonly since?: number
  readonly until?: number
  readonly rerank: boolean
  readonly profile?: string
  readonly hops?: number
  readonly maxPerFile?: number
  readonly maxPerSession?: number
  readonly explain?: boolean
  readonly lines?: ChangedLines
  readonly multiQuery?: boolean
  readonly multiQueryVariations?: number
  readonly multiQueryStrategies?: readonly string[]
  readonly expander?: string
  readonly query?: readonly string[]
  readonly jsonl?: boolean
  readonly format?: 'text' | 'json' | 'jsonl' | 'markdown'
  readonly detail: Detail
  readonly refresh: boolean
}

export const addCommonFlags = (command: Command): Command =>
  command
    .option('--repo <dir>', 'the directory to work on (default: the working directory)')
    .option('--offline', 'never open a network connection')
    .option('--json', 'print JSON')
    .addOption(new Option('--color <when>', 'colour').choices(['auto', 'always', 'never']).default('auto'))

export const addSearchFlags = (command: Command): Command =>
  addAnswerFlags(command)
    .option('--language <name>', 'only these languages; repeat it or separate by commas', collectLanguages)
    .option('--path <glob>', 'only these paths, such as src/** or !test/**; repeatable', collect)
    .addOption(new Option('--kind <kind>', 'only this kind; repeatable').argParser(collectKinds))
    .option('--author <name>', 'only by this author: part of the name or the address')
    .option('--max-per-file <n>', 'hits of one file, 0 to 1000; 0 is any number', wholeNumber(0, 1000))

/** What every question has, whatever it is asked of. */
export const addAnswerFlags = (command: Command): Command =>
  addCommonFlags(command)
    .option('-k, --limit <n>', 'how many hits, 1 to 1000', wholeNumber(1, 1000))
    .option('--since <when>', 'changed since: 30d, 2024-05-01, "last month"', moment('since'))
    .option('--until <when>', 'changed until: 2w, 2024-05-01, yesterday', moment('until'))
    .option('--no-rerank', 'leave out the reranker')
    .addOption(new Option('--profile <name>', 'the ranking').choices(['classic', 'best']))
    .option('--hops <n>', 'how far to follow similar code, 0 to 10; 0 is off', wholeNumber(0, 10))
    .option('--explain', 'say under each hit what every stage did to it')
    .addOption(new Option('--jsonl', 'print one hit a line as JSON').conflicts('json'))
    .addOption(
      new Option('--format <name>', 'how to print')
        .choices(['text', 'json', 'jsonl', 'markdown'])
        .conflicts(['json', 'jsonl']),
    )
    .addOption(
      new Option('--detail <amount>', 'how much of each hit')
        .choices(['compact', 'normal', 'full'])
        .default('normal'),
    )
    .option('--no-refresh', 'answer from the index as it is')

/** For the commands that ask a question. Each of them turns multi-query on. */
export const addMultiQueryFlags = (command: Command): Command =>
  command
    .option('--multi-query', 'search with rewrites of the question too')
    .option('--multi-query-variations <n>', 'how many rewrites, 1 to 10', wholeNumber(1, 10))
    .addOption(
      new Option(
        '--multi-query-strategies <names>',
        'how to rewrite: paraphrase, entity, step-back, decompose',
      ).argParser(collectNames),
    )
    .addOption(
      new Option('--expander <name>', 'who rewrites').choices([
        'auto',
        'local',
        'openai',
        'anthropic',
        'none',
      ]),
    )
    .option('--query <text>', 'a rewrite of your own, in place of an expander; repeatable', collect)

/** Flags as settings, under the keys of the settings files. */
export const overridesOf = (flags: CommonFlags & Partial<SearchFlags>): Record<string, unknown> => ({
  ...(flags.offline && { offline: true }),
  ...(flags.profile !== undefined && { profile: flags.profile }),
  ...(flags.rerank === false && { 'rerank.enabled': false }),
  ...(flags.maxPerFile !== undefined && {
    'diversity.maxPerFile': flags.maxPerFile,
    'history.maxPerFile': flags.maxPerFile,
  }),
  ...(flags.maxPerSession !== undefined && { 'notes.maxPerSession': flags.maxPerSession }),
  ...multiQueryOf(flags),
  ...(flags.hops === 0 && { 'multiHop.enabled': false }),
  ...(flags.hops !== undefined &&
    flags.hops > 0 && { 'multiHop.enabled': true, 'multiHop.hops': flags.hops }),
})

const multiQueryOf = (flags: Partial<SearchFlags>): Record<string, unknown> => {
  const { multiQuery, multiQueryVariations: variations, multiQueryStrategies: strategies, expander } = flags
  const given = [multiQuery, variations, strategies, expander]
  return {
    ...(given.some(flag => flag !== undefined) && { 'multiQuery.enabled': true }),
    ...(variations !== undefined && { 'multiQuery.variations': variations }),
    ...(strategies !== undefined && { 'multiQuery.strategies': strategies }),
    ...(expander !== undefined && { 'expander.kind': expander }),
  }
}

export const filterOf = ({ kind, language, path, author, since, until }: SearchFlags): ChunkFilter => {
  if (since !== undefined && until !== undefined && since > until) {
    throw new QuarryError('BAD_INPUT', '--since is later than --until', { hint: 'exchange the two' })
  }
  return {
    ...(kind && { kinds: kind }),
    ...(language && { languages: language }),
    ...(path && { paths: path }),
    ...(author && { author }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

export const formatOf = ({ json, jsonl, format }: SearchFlags): 'text' | 'json' | 'jsonl' | 'markdown' =>
  json ? 'json' : jsonl ? 'jsonl' : (format ?? 'text')

/** Digits only: `1e9`, `0x10` and ` 7 ` are not what anyone means by a count. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
}

export const moment = (edge: 'since' | 'until') => (text: string) => {
  const time = parseMoment(text, edge, Date.now())
  if (time !== null) return time
  throw new InvalidArgumentError(
    'Write 12h, 30d, 2w, 6mo, 1y, yesterday, "last month", "March 2021", 2024-05-01 or an ISO time.',
  )
}

/** Names after one another or separated by commas. */
export const collectNames = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').map(name => name.trim()),
]

export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

const collectLanguages = (text: string, before: readonly string[] = []): readonly string[] => {
  const words = text.split(',').map(word => word.trim().toLowerCase())
  if (words.includes('')) throw new InvalidArgumentError('A name is missing.')
  return [...new Set([...before, ...words.flatMap(languagesNamed)])]
}

const KINDS: readonly ChunkKind[] = ['code', 'hunk', 'note']

const collectKinds = (text: string, before: readonly ChunkKind[] = []): readonly ChunkKind[] => {
  const kind = KINDS.find(known => known === text)
  if (kind === undefined) throw new InvalidArgumentError(`Allowed choices are ${KINDS.join(', ')}.`)
  return [...before, kind]
}
