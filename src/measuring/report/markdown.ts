/** A report as Markdown that also reads well in a terminal. */

import type { Difference } from '../metrics/bootstrap.js'
import { type BenchReport, mainMetrics, mostOf, type RowReport, type SetReport } from './report.js'
import { type Column, table } from './table.js'

export const reportMarkdown = (report: BenchReport): string => {
  const { machine, version, command, date } = report
  return [
    '# Quarry, measured',
    ...report.sets.map(set => setMarkdown(set)),
    `Quarry ${version}, ${date.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, ${machine.memoryGB} GB, Node ${machine.node.slice(1)}:`,
    `\`\`\`sh\n${command}\n\`\`\``,
    '![scores](plot.svg)',
    '',
  ].join('\n\n')
}

/** The part of one set: what a terminal shows too, with one difference, as its lines are short. */
export const setMarkdown = (set: SetReport, differences = 2): string =>
  [
    `## ${set.name}`,
    ...(isEmpty(set) ? ['Nothing was measured.'] : tablesOf(set, differences)),
    remarksOf(set),
  ]
    .filter(part => part !== '')
    .join('\n\n')

export const isEmpty = ({ rows }: SetReport): boolean => rows.every(({ n }) => n === 0)

const tablesOf = (set: SetReport, differences: number): readonly string[] => [
  factsOf(set),
  table(set.rows, columnsOf(set, differences)),
  ...categoriesOf(set),
]

const factsOf = ({ rows, available, hash, indexSeconds, layout }: SetReport): string => {
  const asked = rows[0]?.n ?? 0
  const count = asked === available ? `${asked} questions` : `${asked} of ${available} questions`
  const unit = UNITS[layout]
  return `${count}, ranks of ${unit}; indexed in ${indexSeconds.toFixed(indexSeconds < 10 ? 1 : 0)} s; data ${hash.slice(0, 12)}.`
}

const UNITS: Readonly<Record<SetReport['layout'], string>> = {
  ...{ documents: 'documents', code: 'places in files', conversations: 'turns', files: 'files' },
  ...{ commits: 'commits', points: 'places in files and of files', unlabelled: 'places in files' },
}

/** In the order of the columns. */
const METRICS = [
  ...['nDCG@10', 'MRR@10', 'R@10', 'R@100', 'session R@5', 'session R@10', 'session all@10'],
  ...['MRR', 'Acc@1', 'Acc@5', 'Acc@10', 'Hit@1', 'Hit@10', 'Hit@50', 'right hunk'],
  ...['points by slot', 'points by file', 'same in 5', 'new in 10', 'lists that differ'],
]

/** Points are published as a sum, of as many as there could be. */
const metricText = ({ metrics, n }: RowReport, metric: string): string | number | undefined => {
  const [mean, most] = [metrics[metric], mostOf(metric)]
  return most === 1 || mean === undefined ? mean : `${Math.round(mean * n)} of ${most * n}`
}

const columnsOf = (set: SetReport, differences: number): Column<RowReport>[] => {
  const { rows } = set
  const metrics = METRICS.filter(metric => rows.some(row => row.metrics[metric] !== undefined))
  return [
    { title: 'row', value: ({ name }) => name },
    ...metrics.map(metric => ({
      title: metric,
      digits: 3,
      value: (row: RowReport) => metricText(row, metric),
    })),
    ...(rows.length > 1
      ? mainMetrics(set)
          .slice(0, differences)
          .map(metric => ({
            title: `Δ ${metric} [95 %]`,
            value: (row: RowReport) => differenceText(row.differences?.[metric]),
          }))
      : []),
    { title: 'p50 ms', digits: 1, value: row => row.latency.p50 },
    { title: 'p95 ms', digits: 1, value: row => row.latency.p95 },
    ...(rows.some(row => row.latency.expanderP50 > 0)
      ? [{ title: 'expander p50 ms', digits: 1, value: (row: RowReport) => row.latency.expanderP50 }]
      : []),
  ]
}

/** `+.031 [+.012, +.049] *`: the star says that the interval leaves zero out. */
export const differenceText = (difference: Difference | undefined): string => {
  if (difference === undefined) return '–'
  const { mean, low, high } = difference
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]${low > 0 || high < 0 ? ' *' : ''}`
}

const signed = (value: number): string => {
  const digits = Math.abs(value).toFixed(3).replace(/^0/, '')
  return value < -0.0005 ? `−${digits}` : value > 0.0005 ? `+${digits}` : '.000'
}

const categoriesOf = (set: SetReport): readonly string[] => {
  const { rows } = set
  const groups = rows[0]?.byCategory ?? []
  if (groups.length < 2) return []
  // One metric: the table is for comparing kinds of questions, the lines of JSON have everything.
  const main = mainMetrics(set)
  const metric = main.includes('R@10') ? 'R@10' : (main[0] ?? 'same in 5')
  const columns: Column<RowReport>[] = groups.map(({ group, n }) => ({
    title: `${group || 'no category'} (${n})`,
    digits: 3,
    value: row => row.byCategory.find(each => each.group === group)?.means[metric],
  }))
  return [`${metric} by category:`, table(rows, [{ title: 'row', value: ({ name }) => name }, ...columns])]
}

const remarksOf = ({ rows, leftOut, remarks }: SetReport): string => {
  const reasons = new Map<string, number>()
  for (const { reason } of leftOut) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const SHOWN = 5
  const counted = [...reasons].map(([reason, count]) => `left out: ${count} × ${reason}`)
  const more = counted.length > SHOWN ? [`… and ${counted.length - SHOWN} further reasons`] : []
  const ofRows = rows.flatMap(row => row.remarks.map(remark => `${row.name}: ${remark}`))
  const shared = settingsText(rows)
  const own = shared === '' ? [] : [`settings that differ from the defaults: ${shared}`]
  return [...remarks, ...own, ...counted.slice(0, SHOWN), ...more, ...ofRows]
    .map(remark => `- ${remark}`)
    .join('\n')
}

/** Those that all rows share; what tells rows apart is in their names. */
const settingsText = (rows: readonly RowReport[]): string => {
  const [first, ...others] = rows
  const shared = Object.entries(first!.settings).filter(([key, value]) =>
    others.every(({ settings }) => JSON.stringify(settings[key]) === JSON.stringify(value)),
  )
  return shared.map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(', ')
}
