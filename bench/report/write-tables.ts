/** `npm run bench -- tables`: writes the tables of README and docs from the newest lines in `bench/results/`. */

import { join } from 'node:path'
import { table } from '#dist/measuring/report/table.js'
import { repositoryRoot } from '../sets/places.js'
import { writeAgentTables } from './agents-tables.js'
import { updateSection } from './document.js'
import { writeHistoryTables } from './history-tables.js'
import { writeNotesTables } from './notes-tables.js'
import { type ResultLine, readResults } from './result-line.js'
import { writeSpeedTables } from './speed-tables.js'

const results = join(repositoryRoot, 'bench/results')

/** nDCG@10 over the whole set of 63 repositories, as their authors publish it. */
const PUBLISHED = [
  { ranking: 'ripgrep', ndcg: 0.126 },
  { ranking: 'probe', ndcg: 0.387 },
  { ranking: 'BM25', ndcg: 0.673 },
  { ranking: 'semble', ndcg: 0.854 },
  { ranking: 'CodeRankEmbed hybrid (137M)', ndcg: 0.862 },
]

export const writeTables = async (): Promise<void> => {
  const ranking = newest(await readResults(results, 'ranking'), line => JSON.stringify(line.config))
  const evaluated = newest(
    await readResults(results, 'evaluate'),
    line => `${line.config.set} ${line.config.variant}`,
  )
  await updateSection(join(repositoryRoot, 'README.md'), 'quality', quality(ranking))
  await updateSection(join(repositoryRoot, 'docs/ranking.md'), 'ranking', ablation(ranking))
  await updateSection(join(repositoryRoot, 'docs/ranking.md'), 'evaluate', endToEnd(evaluated))
  await writeHistoryTables(results)
  await writeNotesTables(results)
  await writeAgentTables(results)
  await writeSpeedTables(results)
}

const newest = (lines: readonly ResultLine[], key: (line: ResultLine) => string): readonly ResultLine[] => [
  ...new Map(lines.map(line => [key(line), line])).values(),
]

/** Both halves of a set together, each ranked by weights of the other. */
const whole = (
  lines: readonly ResultLine[],
  stage: string,
  set: string,
  ranking: string,
  metric: string,
): number | undefined => {
  const halves = lines.filter(
    ({ config }) => config.stage === stage && config.set === set && config.ranking === ranking,
  )
  const n = halves.reduce((sum, line) => sum + line.n, 0)
  return n === 0 ? undefined : halves.reduce((sum, line) => sum + line.n * line.metrics[metric]!, 0) / n
}

const quality = (lines: readonly ResultLine[]): string => {
  const own = (stage: string) => whole(lines, stage, 'code-search', 'learned, held out', 'nDCG@10')
  const rows = [
    ...PUBLISHED,
    { ranking: '**Quarry**, first second (no model)', ndcg: own('first') },
    { ranking: '**Quarry**, all vectors', ndcg: own('full') },
  ]
  return table(rows, [
    { title: 'ranking', value: row => row.ranking },
    { title: 'nDCG@10', value: row => row.ndcg, digits: 3 },
  ])
}

const RANKINGS = ['text lane', 'symbol lane', 'vector lane', 'RRF', 'learned, held out']
const SETS = ['code-search', 'words', 'cosqa-dev', 'scifact-train', 'issues']

const ablation = (lines: readonly ResultLine[]): string => {
  const rows = (['first', 'full'] as const).flatMap(stage => RANKINGS.map(ranking => ({ stage, ranking })))
  return table(rows, [
    { title: 'stage', value: row => row.stage },
    { title: 'ranking', value: row => row.ranking },
    ...SETS.flatMap(set =>
      ['nDCG@10', 'MRR@10'].map(metric => ({
        title: `${set} ${metric}`,
        value: (row: { stage: string; ranking: string }) => whole(lines, row.stage, set, row.ranking, metric),
        digits: 3,
      })),
    ),
  ])
}

const endToEnd = (lines: readonly ResultLine[]): string =>
  table(lines, [
    { title: 'set', value: line => String(line.config.set) },
    { title: 'variant', value: line => String(line.config.variant) },
    { title: 'n', value: line => line.n },
    { title: 'nDCG@10', value: line => line.metrics['nDCG@10'], digits: 3 },
    { title: 'MRR@10', value: line => line.metrics['MRR@10'], digits: 3 },
    { title: 'R@10', value: line => line.metrics['R@10'], digits: 3 },
  ])
