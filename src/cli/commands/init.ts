/** `quarry init`: git hooks that keep the index up to date behind git, and what these hooks start. */

import { fileURLToPath } from 'node:url'
import type { HookReport } from '../../index.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { warningText } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { BELOW_NORMAL, giveWay } from '../give-way.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly remove?: boolean
  readonly dryRun?: boolean
  readonly refresh?: boolean
}

export const runInit = async (flags: Flags, { terminal, signal }: Surroundings): Promise<number> =>
  withQuarry(flags, async quarry => {
    if (flags.refresh) {
      giveWay(BELOW_NORMAL)
      await quarry.hooks.refresh(signal)
      return 0
    }
    const request = {
      entry: fileURLToPath(new URL('../main.js', import.meta.url)),
      dryRun: flags.dryRun ?? false,
    }
    const report = await (flags.remove ? quarry.hooks.remove(request) : quarry.hooks.install(request))
    if (flags.json) await terminal.print(`${encode({ ...report, dryRun: request.dryRun }, 2)}\n`)
    else
      await terminal.print(
        changesText(report, request.dryRun) + (flags.dryRun && !flags.remove ? `\n${report.block}` : ''),
      )
    const warnings = [...quarry.warnings, ...(flags.json ? [] : report.warnings)]
    terminal.talk(warningText(warnings, terminal.paint))
    if (!flags.json) terminal.talk(`${summary(report, flags)}\n`)
    return flags.remove || report.hooks.some(({ action }) => action !== 'left') ? 0 : 1
  })

const changesText = ({ hooks }: HookReport, dryRun: boolean): string =>
  hooks
    .map(({ action, path }) => {
      const what = dryRun && /^(?:created|changed|deleted)$/.test(action) ? `would be ${action}` : action
      return `${what.padEnd(dryRun ? 16 : 9)} ${sanitiseLine(path)}\n`
    })
    .join('')

const summary = ({ hooks }: HookReport, { remove, dryRun }: Flags): string => {
  const isDone = hooks.every(({ action }) => action === 'unchanged' || action === 'left')
  if (remove)
    return isDone
      ? 'no hook held a line of Quarry'
      : dryRun
        ? 'nothing was written'
        : 'the hooks are as before'
  if (dryRun) return 'nothing was written'
  if (hooks.every(({ action }) => action === 'left')) return 'no hook was written'
  return isDone
    ? 'the hooks are in place already'
    : 'git refreshes the index behind every commit, merge, checkout and rewrite; quarry init --remove undoes it'
}
