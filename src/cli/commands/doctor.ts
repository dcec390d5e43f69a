/** `quarry doctor`: one line for each thing looked at, with what to type where something is wrong. */

import type { Finding } from '../../index.js'
import { encode } from '../../present/json.js'
import { type Paint, paintWith } from '../../present/paint.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { warningText } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly deep?: boolean
}

export const runDoctor = async (flags: Flags, { terminal }: Surroundings): Promise<number> =>
  withQuarry(flags, async quarry => {
    const findings = await quarry.doctor({ deep: flags.deep ?? false })
    const paint = paintWith(terminal.colour)
    await terminal.print(flags.json ? `${encode({ findings }, 2)}\n` : findings.map(show(paint)).join(''))
    terminal.talk(warningText(quarry.warnings, terminal.paint))
    return findings.some(({ state }) => state === 'error') ? 2 : 0
  })

const show =
  (paint: Paint) =>
  ({ subject, state, message, hint }: Finding): string => {
    const colour = { ok: paint.good, warning: paint.warning, error: paint.error }[state]
    const line = `${colour(state.padEnd(7))}  ${sanitiseLine(subject)}: ${sanitiseLine(message)}\n`
    return hint === undefined || state === 'ok'
      ? line
      : `${line}${paint.faint('   hint:')}  ${sanitiseLine(hint)}\n`
  }
