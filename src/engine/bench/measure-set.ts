/** One set: each corpus is taken in once and asked with every row, so that rows differ by their settings alone. */

import { join } from 'node:path'
import type { Hit } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import { type AskedQuestion, rowReport, type SetReport } from '../../measuring/report/report.js'
import type { Row } from '../../measuring/rows.js'
import type { LabelledCorpus, LabelledSet, LeftOut } from '../../measuring/sets/shape.js'
import { openQuarry } from '../open.js'
import type { BenchRequest } from './api.js'
import { askCorpus } from './ask.js'
import { type BenchHome, openHome } from './home.js'
import { prepareCorpus, takeInCorpus } from './prepare.js'
import { settingsThatDiffer } from './settings-that-differ.js'

interface SetJob {
  readonly rows: readonly Row[]
  readonly chosen: ReadonlySet<string>
  readonly remarks: readonly string[]
  /** Of the file that rewrites are replayed from. */
  readonly rewritesHash: string | undefined
  /** For what need not be kept. */
  readonly work: string
  readonly request: BenchRequest
}

/** What is gathered of one row, corpus by corpus. */
interface Tally {
  readonly row: Row
  readonly questions: AskedQuestion[]
  readonly warnings: Map<string, number>
  settings: Readonly<Record<string, unknown>>
}

/** What is gathered of all corpora. */
interface Seen {
  /** Files that were not indexed, by reason. */
  readonly skipped: Map<string, number>
  readonly remarks: Set<string>
}

export const measureSet = async (set: LabelledSet, job: SetJob): Promise<SetReport> => {
  const { request, rows, chosen } = job
  const environment = request.environment ?? process.env
  const tallies = rows.map((row): Tally => ({ row, questions: [], warnings: new Map(), settings: {} }))
  const leftOut: LeftOut[] = [...set.leftOut]
  const seen: Seen = { skipped: new Map(), remarks: new Set() }
  let [indexSeconds, number, place]: [number, number, string | undefined] = [0, 0, undefined]
  let home: BenchHome | null = null
  try {
    for await (const corpus of set.corpora(chosen)) {
      request.signal?.throwIfAborted()
      const isNew = home === null || place === undefined || corpus.place !== place
      if (home === null || isNew) {
        await home?.close()
        const name = `${set.name}-${++number}`
        home = await openHome({ kept: request.home, work: job.work, name }, environment)
      }
      place = corpus.place
      try {
        indexSeconds += await measureCorpus(corpus, { set, home, tallies, seen, isNew, job })
      } catch (error) {
        // A repository that is not here, or not whole, costs its own questions, and is counted.
        const isMissing = error instanceof QuarryError && /^(?:NOT_A_REPOSITORY|GIT_FAILED)$/.test(error.code)
        if (!isMissing) throw error
        const reason = `${error.message}${error.hint ? ` (${error.hint})` : ''}`
        leftOut.push(...corpus.queries.map(({ id }) => ({ id, reason })))
      }
    }
  } finally {
    await home?.close()
  }
  const first = tallies[0]!.questions
  return {
    ...{ name: set.name, layout: set.layout, hash: set.hash, available: set.questions.length },
    ...{ indexSeconds, leftOut },
    ...(job.rewritesHash !== undefined && { rewritesHash: job.rewritesHash }),
    remarks: [...set.remarks, ...seen.remarks, ...job.remarks, ...skippedRemark(seen.skipped)],
    rows: tallies.map(({ row, questions, warnings, settings }, position) =>
      rowReport(
        {
          ...{ name: row.name, settings, questions },
          remarks: [...warnings].map(([message, count]) => `${count} × ${message}`),
        },
        position === 0 ? null : first,
      ),
    ),
  }
}

const measureCorpus = async (
  corpus: LabelledCorpus,
  parts: {
    readonly set: LabelledSet
    readonly home: BenchHome
    readonly tallies: readonly Tally[]
    readonly seen: Seen
    /** Its directory holds nothing yet. */
    readonly isNew: boolean
    readonly job: SetJob
  },
): Promise<number> => {
  const { set, home, tallies, seen, isNew, job } = parts
  const { request, chosen } = job
  const abort = request.signal ? { signal: request.signal } : {}
  const say = (what: string) => (done: number, total: number) =>
    request.onProgress?.({
      ...{ set: set.name, what: `${corpus.name}: ${what}`, done, total },
      ...{ asked: tallies.at(-1)!.questions.length, questions: chosen.size },
    })
  const { root, remarks } = await prepareCorpus(corpus, {
    ...{ directory: join(home.directory, 'sets', `${set.name}-${set.hash.slice(0, 12)}`) },
    ...{ mirrors: request.mirrors, trust: request.trust ?? false },
    ...abort,
  })
  for (const remark of remarks) seen.remarks.add(remark)
  // A clone is opened as it lies; whatever else is searched was written by this run.
  const trust = corpus.material.kind === 'history' && request.trust === true
  const firstFound = new Map<string, readonly Hit[]>()
  let seconds = 0
  for (const tally of tallies) {
    const { row } = tally
    const overrides = {
      ...(request.fast && { 'embedding.models': [] }),
      ...request.overrides,
      ...row.overrides,
    }
    // A key of the user's is not for a server that replays.
    const key = request.replay === undefined ? {} : { QUARRY_EXPANDER_KEY: 'recorded' }
    const quarry = await openQuarry({ root, trust, overrides, environment: { ...home.environment, ...key } })
    const onWarning = (message: string): void => {
      tally.warnings.set(message, (tally.warnings.get(message) ?? 0) + 1)
    }
    try {
      const started = performance.now()
      const report = await takeInCorpus(quarry, corpus.material, {
        stage: request.fast ? 'first' : 'full',
        onProgress: ({ done, total, stage }) => say(INDEXING[stage] ?? 'indexing')(done, total),
        ...abort,
      })
      seconds += (performance.now() - started) / 1_000
      for (const { message } of [...quarry.warnings, ...report.warnings]) onWarning(message)
      if (report.added + report.changed + report.unchanged === 0) onWarning('the index is empty')
      if (tally === tallies[0] && isNew)
        for (const [reason, count] of Object.entries(report.skipped))
          seen.skipped.set(reason, (seen.skipped.get(reason) ?? 0) + count)
      tally.settings = settingsThatDiffer(quarry, request.replay !== undefined)
      tally.questions.push(
        ...(await askCorpus(quarry, corpus, {
          // The first row asks no expander, which may cost money.
          ...{ layout: set.layout, depth: request.depth, firstFound },
          ...{ warmUp: tally === tallies[0] ? 20 : 1, onWarning },
          onQuestion: done => say(row.name)(done, corpus.queries.length),
          ...abort,
        })),
      )
    } finally {
      await quarry.close()
    }
  }
  return seconds
}

const skippedRemark = (skipped: ReadonlyMap<string, number>): readonly string[] =>
  skipped.size === 0
    ? []
    : [
        `files left out of the index: ${[...skipped].map(([reason, count]) => `${count} ${reason}`).join(', ')}`,
      ]

const INDEXING: Readonly<Record<string, string>> = { embed: 'embedding', model: 'downloading a model' }
