/** `quarry init --agents`: tells the agents that read AGENTS.md how to search here. */

import { editAgentsFile } from '../../mcp/install/agents-file.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly remove?: boolean
  readonly dryRun?: boolean
}

export const runInitAgents = async (flags: Flags, { terminal }: Surroundings): Promise<number> =>
  withQuarry(flags, async ({ root }) => {
    const { remove = false, dryRun = false } = flags
    const done = editAgentsFile({ root, remove, dryRun })
    if (flags.json) {
      await terminal.print(`${encode({ ...done, written: !dryRun && done.change !== 'none' }, 2)}\n`)
      return 0
    }
    await terminal.print(done.diff.map(line => `${sanitiseLine(line)}\n`).join(''))
    const place = sanitiseLine(done.file)
    if (done.change === 'none')
      terminal.talk(`${place} ${remove ? 'has no such lines' : 'has them already'}\n`)
    else terminal.talk(dryRun ? `nothing was written to ${place}\n` : `${done.change} in ${place}\n`)
    return 0
  })
