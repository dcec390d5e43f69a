/** `quarry purge`: deletes the index of a directory, after asking. The work tree is never touched. */

import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { QuarryError } from '../../core/errors.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { counted } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly yes?: boolean
  readonly expansions?: boolean
}

export const runPurge = async (flags: Flags, { terminal, signal }: Surroundings): Promise<number> =>
  withQuarry(flags, async quarry => {
    if (flags.expansions) {
      // They can be had again: nobody needs to be asked.
      const expansions = await quarry.purgeExpansions()
      if (flags.json) await terminal.print(`${encode({ expansions }, 2)}\n`)
      else terminal.talk(`the rewrites of ${counted(expansions, 'question')} are deleted\n`)
      return 0
    }
    if (!flags.yes && !(await confirm(quarry.root, signal))) {
      terminal.talk('nothing was deleted\n')
      return 1
    }
    await quarry.purge()
    if (flags.json) await terminal.print(`${encode({ purged: quarry.root }, 2)}\n`)
    else terminal.talk(`the index of ${sanitiseLine(quarry.root)} is deleted\n`)
    return 0
  })

const confirm = async (root: string, signal: AbortSignal): Promise<boolean> => {
  if (!process.stdin.isTTY) {
    throw new QuarryError('BAD_INPUT', 'Nobody is here to ask whether to delete the index', {
      hint: 'quarry purge --yes',
    })
  }
  // Not as a terminal: line editing would take Ctrl-C away from the process.
  const dialogue = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    const asked = dialogue.question(`Delete the index of ${sanitiseLine(root)}? [y/N] `, { signal })
    const reply = await Promise.race([asked, once(dialogue, 'close').then(() => '')])
    return /^y(es)?$/i.test(reply.trim())
  } finally {
    dialogue.close()
  }
}
