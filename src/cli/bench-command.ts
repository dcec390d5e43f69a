/** `quarry bench` with its flags. */

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ExpanderKind, ExpansionStrategy, Profile } from '../core/settings.js'
import { wholeNumber } from './flags.js'
import type { Surroundings } from './program.js'

const STRATEGIES = ['paraphrase', 'entity', 'step-back', 'decompose'] as const
const PROFILES = ['best', 'classic'] as const
const EXPANDERS = ['auto', 'local', 'openai', 'anthropic'] as const

export const addBenchCommand = (
  define: (name: string, description: string) => Command,
  surroundings: Surroundings,
  finish: (exitCode: number) => void,
  version: () => string,
): void => {
  addMeasuredFlags(define('bench [path...]', 'measure Quarry on labelled data'))
    .option('--out <dir>', 'where the report goes (default: ./quarry-bench-<time>)')
    .option('--home <dir>', 'keep the indexes here for the next run (default: deleted at the end)')
    .option('--limit <n>', 'ask so many questions of each set, the same ones each time', wholeNumber(1, 1e9))
    .option(
      '--depth <n>',
      'hits for each question (default: 100, of code 10, of commits 50)',
      wholeNumber(10, 1000),
    )
    .option('--fast', 'text and quick vectors only: no model is loaded')
    .option('--split <name>', 'which qrels of a BEIR folder, or files, commits of issues')
    .option('--extension <name>', 'what files the documents of a BEIR folder are, such as py', extension)
    .option('--mirrors <dir>', 'clones of the repositories that a set names')
    .option(
      '--repository <name>',
      'what a list of questions is about: a directory or owner/name, then @commit',
    )
    .option('--without <glob>', 'files of it that must not be found; repeatable', collect)
    .option('--trust', 'read clones although another user owns them')
    .option('--offline', 'never open a network connection')
    .option('--json', 'print JSON')
    .addOption(new Option('--color <when>', 'colour').choices(['auto', 'always', 'never']).default('auto'))
    .addHelpText('after', AFTERWORD)
    .action(async (paths, flags) => {
      const { runBenchCommand } = await import('./commands/bench.js')
      finish(await runBenchCommand(paths, flags, surroundings, version()))
    })
}

/** What is compared. Each of them adds rows to the table. */
const addMeasuredFlags = (command: Command): Command =>
  command
    .option('--multi-hop', 'a row with hops from the first results')
    .option('--multi-query', 'a row with rewrites of the questions too')
    .option('--ablate', 'a row for each strategy alone, for those of the settings and for all together')
    .option('--strategies <names>', 'a row for this set of strategies; repeatable', collectStrategies)
    .option('--variations <n>', 'a row for each number of rewrites; repeat it or separate by commas', counts)
    .option('--expander <name>', 'who rewrites; a row for each: auto, local, openai, anthropic', expanders)
    .addOption(
      new Option('--replay <file>', 'rewrites from a file of recorded ones instead of a service').conflicts(
        'offline',
      ),
    )
    .option('--profile <name>', 'best, classic; a row for each', profiles)

const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

const oneOf = <Name extends string>(names: readonly Name[], text: string): Name => {
  const found = names.find(name => name === text.trim())
  if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`)
  return found
}

const listOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string, before: readonly Name[] = []): readonly Name[] => [
    ...before,
    ...text.split(',').map(name => oneOf(names, name)),
  ]

const profiles = listOf<Profile>(PROFILES)
const expanders = listOf<ExpanderKind>(EXPANDERS)

const collectStrategies = (
  text: string,
  before: readonly (readonly ExpansionStrategy[])[] = [],
): readonly (readonly ExpansionStrategy[])[] => [...before, listOf<ExpansionStrategy>(STRATEGIES)(text)]

const counts = (text: string, before: readonly number[] = []): readonly number[] => [
  ...before,
  ...text.split(',').map(part => wholeNumber(1, 10)(part.trim())),
]

const extension = (text: string): string => {
  if (/^\.?[A-Za-z0-9]{1,10}$/.test(text)) return text.replace(/^\./, '')
  throw new InvalidArgumentError('Write the end of a file name, such as py.')
}

const AFTERWORD = `
A set is one of:
  a folder with corpus.jsonl, queries.jsonl and qrels/*.tsv     BEIR
  a folder with turns.jsonl and queries.jsonl                   conversations: question → turn
  a folder with repos.json and annotations/*.json               code: question → file, needs --mirrors
  a folder with repos.json and instances.jsonl                  issues: text → files, and → commits, needs --mirrors
  a file such as longmemeval_s_cleaned.json                     LongMemEval
  a .json list of questions, with or without expected_files     needs --repository

Examples:
  quarry bench beir/scifact --limit 100
  quarry bench longmemeval_s_cleaned.json --limit 50 --fast
  quarry bench questions.json --repository . --multi-hop
  quarry bench cosqa --replay expansions.jsonl --ablate

Exit codes: 0 measured, 1 nothing could be measured, 2 error.`
