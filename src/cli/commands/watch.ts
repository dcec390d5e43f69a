/** `quarry watch`: keeps the index up to date until it is interrupted. One line for each time that it did something. */

import type { IndexReport } from '../../core/answers.js'
import { encode } from '../../present/json.js'
import { counted, grouped, warningText } from '../../present/talk.js'
import { fillInBehind, fillInSaying } from '../background.js'
import type { CommonFlags } from '../flags.js'
import { BELOW_NORMAL, giveWay } from '../give-way.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'
import { keepHeapSmall } from '../small-heap.js'

interface Flags extends CommonFlags {
  readonly trust?: boolean
}

export const runWatch = async (flags: Flags, { terminal, signal }: Surroundings): Promise<number> =>
  withQuarry(flags, async quarry => {
    keepHeapSmall()
    giveWay(BELOW_NORMAL)
    const { talk, print, paint } = terminal
    const tell = (event: object, text: string): Promise<void> =>
      print(flags.json ? `${encode(event)}\n` : `${text}\n`)
    talk(warningText(quarry.warnings, paint))
    await quarry.watch({
      signal,
      async onRefresh({ report, isFirst, isWatching }) {
        const isChange = countOf(report) + (report.history ? countOf(report.history) : 0) > 0
        if (isChange && isFirst) await fillInSaying(quarry, terminal)
        else if (isChange) await fillInBehind(quarry)
        if (isFirst) {
          if (!isWatching) talk('this tree cannot be watched: it is looked at every five seconds\n')
          const text = `watching ${quarry.root} · ${textOf(report)}`
          await tell({ event: 'ready', watching: isWatching, ...report }, text)
        } else if (isChange) await tell({ event: 'refreshed', ...report }, textOf(report))
      },
      onTrouble: ({ code, message, hint }) => {
        if (flags.json) void print(`${encode({ event: 'waiting', code, message, hint })}\n`)
        else talk(`waiting: ${message}\n`)
      },
    })
    // Being interrupted is how it ends.
    return 0
  })

const countOf = ({ added, changed, removed }: IndexReport): number => added + changed + removed

const textOf = (report: IndexReport): string => {
  const { added, changed, removed, unchanged, chunks, history, seconds } = report
  const commits = history ? countOf(history) : 0
  return [
    added && `${grouped(added)} added`,
    changed && `${grouped(changed)} changed`,
    removed && `${grouped(removed)} removed`,
    countOf(report) === 0 && `${counted(unchanged, 'file')} unchanged`,
    chunks && counted(chunks, 'chunk'),
    commits && counted(commits, 'commit'),
    `${(seconds + (history?.seconds ?? 0)).toFixed(1)} s`,
  ]
    .filter(Boolean)
    .join(' · ')
}
