/** The table of docs/notes.md, from the newest lines of the memory benchmark. */

import { join } from 'node:path'
import { table } from '#dist/measuring/report/table.js'
import { repositoryRoot } from '../sets/places.js'
import { updateSection } from './document.js'
import { type ResultLine, readResults } from './result-line.js'

const STAGES: Readonly<Record<string, string>> = { first: 'first second', full: 'all vectors' }

const nameOf = (config: ResultLine['config']): string => `${config.stage} ${config.ranking}`
const SUMMARY: readonly (readonly [string, string])[] = [
  ['full text lane', 'BM25 with the turns beside it'],
  ['full vector lane', 'vectors of two models'],
  ['full fusion', 'fused by rank'],
  ['first priors, held out', '**Quarry**, first second (no model)'],
  ['full priors, held out', '**Quarry**, all vectors'],
]

export const writeNotesTables = async (results: string): Promise<void> => {
  const all = await readResults(results, 'notes')
  const newest = [...new Map(all.map(line => [JSON.stringify(line.config), line])).values()]
  const recall = (category: string, title = category) => ({
    title,
    value: (line: ResultLine) => line.metrics[`R@10${category === '' ? '' : ` ${category}`}`],
    digits: 3,
  })
  const rows = table(newest, [
    { title: 'stage', value: ({ config }) => STAGES[String(config.stage)] },
    { title: 'ranking', value: ({ config }) => String(config.ranking) },
    recall('', 'R@10'),
    { title: 'nDCG@10', value: ({ metrics }) => metrics['nDCG@10'], digits: 3 },
    recall('without adversarial'),
    recall('single-hop'),
    recall('multi-hop'),
    recall('temporal'),
    recall('open-domain'),
  ])
  await updateSection(join(repositoryRoot, 'docs/notes.md'), 'notes', rows)
  const short = SUMMARY.flatMap(([name]) => newest.filter(({ config }) => nameOf(config) === name))
  const summary = table(short, [
    { title: 'ranking', value: ({ config }) => new Map(SUMMARY).get(nameOf(config)) },
    recall('', 'R@10'),
    { title: 'nDCG@10', value: ({ metrics }) => metrics['nDCG@10'], digits: 3 },
  ])
  await updateSection(join(repositoryRoot, 'README.md'), 'notes-summary', summary)
}
