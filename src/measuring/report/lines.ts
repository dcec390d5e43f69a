/** A report as lines of JSON: one for each row, with everything needed to measure it again, and one for each question. */

import type { BenchReport, SetReport } from './report.js'

export const resultLines = (report: Omit<BenchReport, 'sets'>, set: SetReport): string =>
  set.rows
    .filter(({ n }) => n > 0)
    .map(({ questions: _, name: row, ...measured }) => {
      const { command, version, date, machine } = report
      const { name, layout, hash: dataHash, rewritesHash, available, indexSeconds } = set
      const line = {
        ...{ command, version, date, machine, set: name, layout, dataHash, rewritesHash },
        ...{ available, indexSeconds, row, ...measured },
      }
      return `${JSON.stringify(line)}\n`
    })
    .join('')

export const questionLines = ({ date }: Pick<BenchReport, 'date'>, set: SetReport): string =>
  set.rows
    .flatMap(({ name: row, questions }) =>
      questions.map(({ language: _, ...question }) =>
        JSON.stringify({ date, set: set.name, row, ...question }),
      ),
    )
    .map(line => `${line}\n`)
    .join('')
