/** The tables of docs/mcp.md, from the newest lines of the agents, load and mcp-speed benchmarks. */

import { join } from 'node:path'
import { type Column, table } from '#dist/measuring/report/table.js'
import { repositoryRoot } from '../sets/places.js'
import { updateSection } from './document.js'
import { type ResultLine, readResults } from './result-line.js'

/** What semble publishes of itself and of ripgrep, over 1,251 questions, with the vocabulary cl100k. */
const PUBLISHED: readonly Row[] = [
  row('semble, as published', {
    tokens: 566,
    'R@500': 0.685,
    'R@1000': 0.849,
    'R@2000': 0.938,
    'R@4000': 0.976,
    'R@8000': 0.991,
  }),
  row('ripgrep + read file, as published', {
    tokens: 45_692,
    'R@500': 0.001,
    'R@1000': 0.008,
    'R@2000': 0.037,
    'R@4000': 0.088,
    'R@8000': 0.212,
  }),
]

interface Row {
  readonly way: string
  readonly metrics: Readonly<Record<string, number>>
}

function row(way: string, metrics: Row['metrics']): Row {
  return { way, metrics }
}

export const writeAgentTables = async (results: string): Promise<void> => {
  const page = join(repositoryRoot, 'docs/mcp.md')
  const lines = newest(await readResults(results, 'agents'))
  const of = (set: string) =>
    lines
      .filter(({ config }) => config.set === set && config.half === 'report' && config.tokens === 'wordpiece')
      .map(line => row(wayOf(line), line.metrics))
  await updateSection(page, 'agents-code', reading([...PUBLISHED, ...of('code-search')]))
  await updateSection(page, 'agents-history', reading(of('issues')))
  const summary = [...PUBLISHED, ...of('code-search')].filter(({ way }) => SUMMARY.test(way))
  await updateSection(join(repositoryRoot, 'README.md'), 'agents-summary', short(summary))
  const load = (await readResults(results, 'load')).at(-1)
  await updateSection(page, 'load', figures(load, LOAD))
  await updateSection(page, 'mcp-speed', figures((await readResults(results, 'mcp-speed')).at(-1), SPEED))
}

/** As deep as the published figures, and what most clients hand on. */
const SUMMARY = /published|words|(?:compact|normal), first 50, as text/

const short = (rows: readonly Row[]): string =>
  table(rows, [
    { title: 'way', value: ({ way }) => way },
    { title: 'tokens to the first relevant hit', value: ({ metrics }) => metrics.tokens, digits: 0 },
    { title: 'recall at 2,000 tokens', value: ({ metrics }) => metrics['R@2000'], digits: 3 },
  ])

const newest = (lines: readonly ResultLine[]): readonly ResultLine[] => [
  ...new Map(lines.map(line => [JSON.stringify(line.config), line])).values(),
]

/** `semantic_search, normal, text` with how deep it went. */
const wayOf = ({ config }: ResultLine): string => {
  const { method, detail, form } = config
  if (detail === undefined) return String(method)
  return `\`${method}\` ${detail}, first ${config.limit ?? config.k}, as ${form}`
}

const reading = (rows: readonly Row[]): string => {
  const metric = (title: string, name: string, digits: number): Column<Row> => ({
    ...{ title, digits, value: ({ metrics }) => metrics[name] },
  })
  return table(rows, [
    { title: 'way', value: ({ way }) => way },
    metric('tokens', 'tokens', 0),
    metric('median', 'median', 0),
    metric('found', 'found', 3),
    ...[500, 1_000, 2_000, 4_000, 8_000].map(budget => metric(`at ${budget}`, `R@${budget}`, 3)),
  ])
}

const LOAD = [
  ...['calls', 'errors', 'cross-talk', 'torn', 'all p50', 'all p95', 'all p99', 'http p95', 'stdio p95'],
  ...['empty call p50', 'http computing ms a call', 'memory growth', 'open files growth', 'loop delay p99'],
  ...['index runs', 'end after stdin EOF', 'end after SIGTERM', 'load average'],
]
const SPEED = [
  ...[
    'chunks',
    'call p50',
    'empty call p50',
    'ratio',
    'computing ms a call',
    'call after a pause, p50',
    'load average',
  ],
]

const figures = (line: ResultLine | undefined, names: readonly string[]): string =>
  table(
    names.map(name => ({ name, value: line?.metrics[name] })),
    [
      { title: 'figure', value: ({ name }) => name },
      { title: 'value', value: ({ value }) => value },
    ],
  )
