/** The table of docs/speed.md, from the newest lines of the speed benchmark. */

import { join } from 'node:path'
import { table } from '#dist/measuring/report/table.js'
import { repositoryRoot } from '../sets/places.js'
import { updateSection } from './document.js'
import { type ResultLine, readResults } from './result-line.js'

interface Figure {
  readonly what: string
  readonly value: number | undefined
  readonly unit: string
  readonly goal?: string
}

export const writeSpeedTables = async (results: string): Promise<void> => {
  const lines = await readResults(results, 'speed')
  const page = join(repositoryRoot, 'docs/speed.md')
  await updateSection(page, 'speed', speedTable(lines))
}

export const speedTable = (lines: readonly ResultLine[]): string => {
  const of = (what: string, metric: string): number | undefined =>
    lines.findLast(({ config }) => config.what === what)?.metrics[metric]
  const again = (metric: string) => of('unchanged re-index, 35,000 files', metric)
  const search = (metric: string) => of('one-shot search, 1,000 files', metric)
  const figures: readonly Figure[] = [
    {
      ...{ what: 'first answer in 1,000 files that were never indexed', unit: '× a bare parse of them' },
      ...{ value: of('first answer', 'ratio'), goal: '≤ 5' },
    },
    {
      what: '`quarry search` in 1,000 files',
      value: search('searchMilliseconds'),
      unit: 'ms',
      goal: '≤ 350',
    },
    { what: '', value: search('ratio'), unit: '× an empty Node program' },
    {
      ...{ what: 'the same, with all vectors: a model has to load', unit: 'ms' },
      ...{ value: of('one-shot search, 1,000 files, all vectors', 'searchMilliseconds') },
    },
    { what: '`quarry index` of 35,000 files, unchanged', value: milliseconds(again('index')), unit: 'ms' },
    { what: '', value: again('toListing'), unit: '× `git ls-files`', goal: '≤ 2' },
    { what: '', value: again('toListingOfOthers'), unit: '× `git ls-files -co --exclude-standard`' },
    { what: '', value: again('toStatus'), unit: '× `git status --porcelain`' },
    { what: '', value: again('toNode'), unit: '× an empty Node program' },
    { what: 'peak while 35,000 files are indexed', value: again('peakMegabytes'), unit: 'MB', goal: '≤ 500' },
    {
      ...{ what: 'warm question, 1,000 files', value: of('warm question, 1,000 files', 'p50') },
      ...{ unit: 'ms at p50', goal: '≤ 5' },
    },
    {
      ...{ what: 'the same, with all vectors', unit: 'ms at p50' },
      ...{ value: of('warm question, 1,000 files, all vectors', 'p50') },
    },
    {
      ...{ what: 'what late interaction adds to it', value: of('late interaction, 1,000 files', 'p50') },
      ...{ unit: 'ms at p50', goal: '≤ 150' },
    },
    {
      ...{ what: 'vectors in the background', value: of('background embedding', 'ratio') },
      ...{ unit: '× a bare loop of the model over the same texts', goal: '≥ 0.8' },
    },
    {
      ...{ what: 'warm question, 35,000 files', value: of('warm question, 35,000 files', 'p50') },
      ...{ unit: 'ms at p50', goal: '≤ 25 at 100,000 chunks' },
    },
  ]
  return table(figures, [
    { title: 'what', value: ({ what }) => what },
    { title: 'value', value: ({ value }) => value, digits: 1 },
    { title: 'unit', value: ({ unit }) => unit },
    { title: 'goal', value: ({ goal }) => goal ?? '' },
  ])
}

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : 1000 * seconds
