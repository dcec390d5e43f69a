/** `quarry index`: brings the index up to date, and by default leaves the slow vectors to a process behind it. */

import { resolve } from 'node:path'
import type { IndexReport } from '../../core/answers.js'
import { QuarryError } from '../../core/errors.js'
import type { HistoryScope } from '../../index.js'
import { encode } from '../../present/json.js'
import { counted, grouped, warningText } from '../../present/talk.js'
import { downloadsBehind, fillInBehind } from '../background.js'
import type { CommonFlags } from '../flags.js'
import { A_LITTLE, giveWay } from '../give-way.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'
import { type ProgressStyle, progressView } from '../progress.js'

interface IndexFlags extends CommonFlags {
  readonly fast?: boolean
  readonly wait?: boolean
  readonly rebuild?: boolean
  readonly history: boolean
  readonly notes?: boolean
  readonly refs?: readonly string[]
  readonly since?: number
  readonly maxCommits?: number
  readonly trust?: boolean
  readonly progress: ProgressStyle
  readonly quiet?: boolean
}

export const runIndex = async (
  path: string | undefined,
  flags: IndexFlags,
  { terminal, signal }: Surroundings,
): Promise<number> =>
  withQuarry({ ...flags, repo: chooseRoot(path, flags.repo) }, async quarry => {
    giveWay(A_LITTLE)
    // Whoever reads JSON reads an error as JSON too, and alone.
    const isRead = flags.json && flags.progress === 'auto' && !terminal.talksToTerminal
    const view = progressView(flags.quiet || isRead ? 'none' : flags.progress, terminal)
    const report = await quarry
      .index({
        stage: flags.wait ? 'full' : 'first',
        rebuild: flags.rebuild ?? false,
        history: historyOf(flags),
        ...(flags.notes && { only: 'notes' as const }),
        onProgress: view.show,
        signal,
      })
      .finally(() => {
        view.clear()
        if (signal.aborted && !flags.quiet && flags.progress !== 'json')
          terminal.talk('interrupted: what was made stays, quarry index --wait goes on\n')
      })
    const downloads = await downloadsBehind(quarry)
    view.end?.(heldBy(report))
    const isFilling =
      !flags.wait && !flags.fast && !signal.aborted && (await fillInBehind(quarry, flagsBehind(flags)))
    if (flags.json) await terminal.print(`${encode(report, 2)}\n`)
    if (!flags.quiet) {
      terminal.talk(warningText([...quarry.warnings, ...(flags.json ? [] : report.warnings)], terminal.paint))
      if (!flags.json) terminal.talk(`${summary(report, 'chunk', isFilling)}\n`)
      if (!flags.json && report.history)
        terminal.talk(`history: ${summary(report.history, 'hunk', isFilling)}\n`)
      if (!flags.json && report.notes) terminal.talk(`notes: ${summary(report.notes, 'chunk', isFilling)}\n`)
      if (!flags.json && isFilling) terminal.talk(terminal.paint.faint(downloads))
    }
    return 0
  })

/** What this run was told holds for the one behind it. */
const flagsBehind = ({ history, notes, trust }: IndexFlags): string[] => [
  ...(notes ? ['--notes'] : []),
  ...(history ? [] : ['--no-history']),
  ...(trust ? ['--trust'] : []),
]

/** A scope that was given holds from now on; without one the last holds. */
const historyOf = ({ history, refs, since, maxCommits }: IndexFlags): boolean | HistoryScope => {
  if (!history || (refs === undefined && since === undefined && maxCommits === undefined)) return history
  return {
    refs: refs ?? [],
    ...(since !== undefined && { since }),
    ...(maxCommits !== undefined && { maxCommits }),
  }
}

const chooseRoot = (path: string | undefined, repo: string | undefined): string => {
  if (path !== undefined && repo !== undefined && resolve(path) !== resolve(repo)) {
    throw new QuarryError('BAD_INPUT', 'A path and --repo name two different directories', {
      hint: 'quarry index DIR',
    })
  }
  return path ?? repo ?? process.cwd()
}

/** Files, commits and notes. */
const heldBy = ({ added, changed, unchanged, history, notes }: IndexReport): number =>
  added + changed + unchanged + (history ? heldBy(history) : 0) + (notes ? heldBy(notes) : 0)

const summary = (report: IndexReport, unit: 'chunk' | 'hunk', isFilling: boolean): string => {
  const { added, changed, removed, unchanged, chunks, embedded, pendingVectors, skipped, seconds } = report
  // A commit is a chunk too, beside its hunks.
  const written = unit === 'hunk' ? chunks - added - changed : chunks
  const leftOut = Object.values(skipped).reduce((sum, count) => sum + count, 0)
  const parts = [
    ...[added && `${grouped(added)} added`, changed && `${grouped(changed)} changed`],
    ...[removed && `${grouped(removed)} removed`, `${grouped(unchanged)} unchanged`],
    ...[leftOut && `${grouped(leftOut)} left out`, written > 0 && counted(written, unit)],
    ...[
      embedded && counted(embedded, 'vector'),
      !isFilling && pendingVectors && `${grouped(pendingVectors)} to embed`,
    ],
    `${seconds.toFixed(1)} s`,
    isFilling && 'vectors are being made behind',
  ]
  return parts.filter(Boolean).join(' · ')
}
