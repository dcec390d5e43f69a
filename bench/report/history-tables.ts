/** The tables of docs/history.md and the row of the README, from the newest lines of the history benchmarks. */

import { join } from 'node:path'
import { table } from '#dist/measuring/report/table.js'
import { repositoryRoot } from '../sets/places.js'
import { updateSection } from './document.js'
import { type ResultLine, readResults } from './result-line.js'

const ORDER = [
  ...['BM25, whole commit', 'text lane', 'symbol lane', 'vector lane', 'fused by rank', 'fused by score'],
  ...[
    'by score + recency',
    'by score + cap 3',
    'by score + late interaction',
    'classic',
    'first second',
    'best',
  ],
  ...['best, title only', 'best, tests left out'],
]

export const writeHistoryTables = async (results: string): Promise<void> => {
  const page = join(repositoryRoot, 'docs/history.md')
  const all = (await readResults(results, 'history')).filter(({ config }) => config.repositories === 11)
  const lines = [...new Map(all.map(line => [String(line.config.variant), line])).values()]
  const place = ({ config }: ResultLine) => ORDER.indexOf(String(config.variant))
  const sorted = lines.filter(line => place(line) >= 0).sort((a, b) => place(a) - place(b))
  await updateSection(page, 'history', quality(sorted))
  await updateSection(page, 'history-repositories', byRepository(sorted))
  await updateSection(join(repositoryRoot, 'README.md'), 'history-summary', summary(sorted))
  const heldOut = (await readResults(results, 'history-held-out')).filter(
    ({ config }) => config.repositories === 11,
  )
  const newest = [...new Map(heldOut.map(line => [String(line.config.files), line])).values()]
  await updateSection(page, 'history-held-out', heldOutTable(newest))
  const speed = await readResults(results, 'history-speed')
  const latest = [...new Map(speed.map(line => [String(line.config.repository), line])).values()]
  await updateSection(page, 'history-speed', speedTable(latest))
}

const metric = (name: string, title: string, digits = 3) => ({
  title,
  value: (line: ResultLine) => line.metrics[name],
  digits,
})

const SUMMARY = ['BM25, whole commit', 'vector lane', 'classic', 'first second', 'best']

const summary = (lines: readonly ResultLine[]): string =>
  table(
    lines.filter(({ config }) => SUMMARY.includes(String(config.variant))),
    [
      { title: 'ranking', value: line => String(line.config.variant) },
      metric('MRR', 'MRR'),
      metric('Hit@10', 'Hit@10'),
    ],
  )

const quality = (lines: readonly ResultLine[]): string =>
  table(lines, [
    { title: 'ranking', value: line => String(line.config.variant) },
    metric('MRR', 'MRR'),
    metric('Hit@1', 'Hit@1'),
    metric('Hit@10', 'Hit@10'),
    metric('Hit@50', 'Hit@50'),
    {
      title: 'MRR over issues',
      value: ({ metrics }) =>
        [metrics['MRR over issues'], metrics['MRR low'], metrics['MRR high']].some(
          value => value === undefined,
        )
          ? undefined
          : `${metrics['MRR over issues']!.toFixed(3)} [${metrics['MRR low']!.toFixed(3)}, ${metrics['MRR high']!.toFixed(3)}]`,
    },
    metric('MRR, path named', 'path named'),
    metric('MRR, path not named', 'not named'),
    {
      title: 'hunk',
      // A lane alone ranks commits and shows nothing.
      value: ({ metrics, config }) =>
        /lane$|^BM25/.test(String(config.variant)) ? undefined : metrics['hunk in a gold file'],
      digits: 3,
    },
  ])

const byRepository = (lines: readonly ResultLine[]): string => {
  const best = lines.find(({ config }) => config.variant === 'best')
  const own = Object.entries(best?.metrics ?? {}).filter(([name]) => name.startsWith('MRR of '))
  return table(own, [
    { title: 'repository', value: ([name]) => name.slice('MRR of '.length) },
    { title: 'MRR', value: ([, value]) => value, digits: 3 },
  ])
}

const heldOutTable = (lines: readonly ResultLine[]): string =>
  table(lines, [
    { title: 'files', value: line => String(line.config.files) },
    metric('settings', 'settings', 0),
    metric('MRR held out', 'MRR held out'),
    metric('Hit@10 held out', 'Hit@10 held out'),
    metric('MRR ours', 'MRR ours'),
    metric('Hit@10 ours', 'Hit@10 ours'),
    metric('MRR best of all', 'best'),
    metric('MRR median', 'median'),
    metric('MRR worst', 'worst'),
  ])

const speedTable = (lines: readonly ResultLine[]): string =>
  table(lines, [
    { title: 'repository', value: line => String(line.config.repository) },
    metric('commits', 'commits', 0),
    metric('hunks', 'hunks', 0),
    metric('indexRatio', 'index / git log -p', 2),
    metric('againRatio', 'again / git rev-list', 2),
    metric('sizeRatio', 'index / diff text', 2),
    metric('peakMegabytes', 'peak MB', 0),
    metric('findMedianMilliseconds', 'find p50 ms', 1),
    metric('findSlowMilliseconds', 'p95 ms', 1),
    metric('exactMedianMilliseconds', 'exact symbols p50 ms', 1),
    metric('rerankMedianMilliseconds', 'rerank p50 ms', 1),
    metric('explainRatio', 'explain / git blame', 2),
  ])
