/** A report as one SVG picture: a bar for each row, with the interval of its difference to the first. No library, no script. */

import { differenceText, isEmpty } from './markdown.js'
import { type BenchReport, mainMetrics, mostOf, type RowReport, type SetReport } from './report.js'

const [WIDTH, LEFT, BAR, LINE, TITLE] = [820, 250, 330, 24, 44]

/** Readable on light and on dark: the reader's own choice decides, and the background is the page's. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 } .faint { fill: #59636e } .small { font-size: 10px }
  .bar { fill: #8c959f } .better { fill: #1a7f37 } .worse { fill: #cf222e } .axis { stroke: #d1d9e0 } .span { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .faint { fill: #9198a1 }
    .bar { fill: #656c76 } .better { fill: #3fb950 } .worse { fill: #f85149 } .axis { stroke: #3d444d } .span { stroke: #e6edf3 }
  }
`

export const plotSvg = ({ sets, version, date }: Pick<BenchReport, 'sets' | 'version' | 'date'>): string => {
  const parts: string[] = []
  let top = 10
  for (const set of sets.filter(each => !isEmpty(each))) {
    parts.push(setPlot(set, top))
    top += TITLE + set.rows.length * LINE + 16
  }
  parts.push(label(10, top + 8, `Quarry ${version}, ${date.slice(0, 10)}`, 'faint'))
  const height = top + 20
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="scores of Quarry">
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`
}

const setPlot = (set: SetReport, top: number): string => {
  const metric = mainMetrics(set)[0] ?? (set.layout === 'unlabelled' ? 'same in 5' : 'session R@10')
  const bottom = top + TITLE + set.rows.length * LINE
  const axis = [0, 0.25, 0.5, 0.75, 1].map(value => {
    const x = LEFT + value * BAR
    const line = `<line class="axis" x1="${x}" x2="${x}" y1="${top + 38}" y2="${bottom}"/>`
    return `${line}\n<text x="${x}" y="${top + 34}" class="faint small" text-anchor="middle">${value * mostOf(metric)}</text>`
  })
  return [
    label(10, top + 16, `${set.name}: ${metric}, ${set.rows[0]?.n ?? 0} questions`, 'title'),
    ...axis,
    ...set.rows.map((row, position) => rowPlot(row, metric, top + TITLE + position * LINE)),
  ].join('\n')
}

const rowPlot = (row: RowReport, metric: string, top: number): string => {
  const value = row.metrics[metric] ?? 0
  const difference = row.differences?.[metric]
  const before = difference ? value - difference.mean : value
  const kind =
    difference && difference.low > 0 ? 'better' : difference && difference.high < 0 ? 'worse' : 'bar'
  const middle = top + LINE / 2 - 3
  const length = (score: number): number => Math.min(1, Math.max(0, score / mostOf(metric))) * BAR
  const at = (score: number): string => (LEFT + length(score)).toFixed(1)
  const said = difference ? `${value.toFixed(3)}  ${differenceText(difference)}` : value.toFixed(3)
  return [
    label(LEFT - 10, middle + 5, shortened(row.name), 'end'),
    `<rect class="${kind}" x="${LEFT}" y="${top}" width="${length(value).toFixed(1)}" height="${LINE - 7}" rx="2"/>`,
    ...(difference
      ? [
          `<line class="span" x1="${at(before + difference.low)}" x2="${at(before + difference.high)}" y1="${middle}" y2="${middle}"/>`,
        ]
      : []),
    label(LEFT + BAR + 10, middle + 5, said, ''),
  ].join('\n')
}

const shortened = (text: string): string => (text.length > 34 ? `${text.slice(0, 33)}…` : text)

const label = (x: number, y: number, text: string, kind: string): string =>
  `<text x="${x}" y="${y}"${kind === 'end' ? ' text-anchor="end"' : kind ? ` class="${kind}"` : ''}>${escaped(text)}</text>`

/** Names of sets come from the file system: they may hold anything. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
