/** Writes what was measured: Markdown for people, lines of JSON for programs, a picture for both. */

import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { questionLines, resultLines } from '../../measuring/report/lines.js'
import { reportMarkdown } from '../../measuring/report/markdown.js'
import { plotSvg } from '../../measuring/report/plot.js'
import type { BenchReport } from '../../measuring/report/report.js'

/** Called after each set. Markdown and picture show this run; lines of JSON are added to those of earlier ones. */
export const writeReport = async (directory: string, report: BenchReport): Promise<readonly string[]> => {
  const last = report.sets.at(-1)!
  await mkdir(directory, { recursive: true })
  const place = (name: string): string => join(directory, name)
  await writeFile(place('report.md'), reportMarkdown(report))
  await writeFile(place('plot.svg'), plotSvg(report))
  await appendFile(place('results.jsonl'), resultLines(report, last))
  await appendFile(place('questions.jsonl'), questionLines(report, last))
  return ['report.md', 'plot.svg', 'results.jsonl', 'questions.jsonl'].map(place)
}
