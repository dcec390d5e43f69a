/**
 * The whole way from labelled data to a report: read every set, take in each corpus once, ask its questions with each row of the
 * comparison, score, compare with the first row, write. A set is written when it is done, so that a long run loses little.
 */

import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { QuarryError } from '../../core/errors.js'
import { chooseQuestions } from '../../measuring/choose-questions.js'
import { type Recorded, readRecorded } from '../../measuring/replay/recorded.js'
import { type ReplayServer, startReplayServer } from '../../measuring/replay/replay-server.js'
import { thisMachine } from '../../measuring/report/machine.js'
import { setMarkdown } from '../../measuring/report/markdown.js'
import type { BenchReport, SetReport } from '../../measuring/report/report.js'
import { type Row, rowsOf } from '../../measuring/rows.js'
import { readLabelledSets } from '../../measuring/sets/recognise.js'
import type { LabelledSet } from '../../measuring/sets/shape.js'
import type { BenchRequest, RunBench } from './api.js'
import { measureSet } from './measure-set.js'
import { writeReport } from './write-report.js'

export const runBench: RunBench = async request => {
  if (request.paths.length === 0)
    throw new QuarryError('BAD_INPUT', 'No labelled data was named', { hint: 'quarry bench DIR' })
  const { split, extension, repository, without } = request
  const sets: LabelledSet[] = []
  for (const path of request.paths)
    sets.push(
      ...(await readLabelledSets(resolve(path), {
        ...{ ...(split && { split }), ...(extension && { extension }) },
        ...{ ...(repository && { repository }), ...(without && { without }) },
      })),
    )
  const compared = rowsOf(comparisonOf(request))
  checkComparable(sets, compared)
  const recorded = request.replay === undefined ? null : await readRecorded(resolve(request.replay))
  const server = recorded && (await startReplayServer(recorded.rows))
  const out = resolve(request.out)
  const work = join(out, 'work')
  const heading: Omit<BenchReport, 'sets'> = {
    ...{ command: request.command ?? '', version: request.version ?? '' },
    ...{ date: new Date().toISOString(), machine: thisMachine() },
  }
  const measured: SetReport[] = []
  let files: readonly string[] = []
  try {
    const rows = withServer(compared, server)
    for (const set of sets) {
      const chosen = chooseQuestions(set.questions, request.limit, askable(recorded?.rows))
      const remarks = recorded ? [replayRemark(set, recorded.rows)] : []
      measured.push(
        await measureSet(set, { rows, chosen, remarks, rewritesHash: recorded?.hash, work, request }),
      )
      files = await writeReport(out, { ...heading, sets: measured })
    }
  } finally {
    await server?.close()
    await rm(work, { recursive: true, force: true })
  }
  const report = { ...heading, sets: measured }
  return { report, text: measured.map(set => `${setMarkdown(set, 1)}\n`).join('\n'), files }
}

/** Without labels nothing can be said of one row alone. */
const checkComparable = (sets: readonly LabelledSet[], rows: readonly Row[]): void => {
  const unlabelled = sets.find(({ layout }) => layout === 'unlabelled')
  if (unlabelled !== undefined && rows.length < 2)
    throw new QuarryError(
      'BAD_INPUT',
      `The questions of ${unlabelled.name} have no labels: all that can be measured is how two rows differ`,
      { hint: 'add a row: --multi-hop, --multi-query or --profile best,classic' },
    )
}

const comparisonOf = (request: BenchRequest) => ({
  multiHop: request.multiHop ?? false,
  ...{ profiles: request.profiles ?? [], multiQuery: request.multiQuery ?? false },
  ...{ ablate: request.ablate ?? false, strategies: request.strategies ?? [] },
  ...{ variations: request.variations ?? [], expanders: request.expanders ?? [] },
  isReplayed: request.replay !== undefined,
})

/** What is recorded is answered anew each time: the cache would only hide how long the rest takes. */
const withServer = (rows: readonly Row[], server: ReplayServer | null): readonly Row[] =>
  server === null
    ? rows
    : rows.map(({ name, overrides }) => ({
        name,
        overrides: {
          ...overrides,
          ...{ 'expander.baseUrl': server.baseUrl, 'expander.model': 'recorded', 'expander.cache': false },
        },
      }))

const askable = (rows: readonly Recorded[] | undefined): ((text: string) => boolean) => {
  if (rows === undefined) return () => true
  const known = new Set(rows.map(({ question }) => question.trim()))
  return text => known.has(text.trim())
}

const replayRemark = ({ questions }: LabelledSet, rows: readonly Recorded[]): string => {
  const isKnown = askable(rows)
  const count = questions.filter(({ text }) => isKnown(text)).length
  return `rewrites are replayed: of ${questions.length} questions ${count} have recorded ones, and only those are asked`
}
