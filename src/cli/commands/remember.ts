/** `quarry remember` and `quarry forget`. */

import { QuarryError } from '../../core/errors.js'
import { encode } from '../../present/json.js'
import { sanitiseLine } from '../../present/sanitise.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface RememberFlags extends CommonFlags {
  readonly tag?: readonly string[]
  readonly time?: number
}

export const runRemember = async (
  given: string | undefined,
  flags: RememberFlags,
  { terminal }: Surroundings,
): Promise<number> => {
  const text = given ?? (await fromStdin())
  return withQuarry(flags, async quarry => {
    const noted = await quarry.notes.remember(text, {
      ...(flags.tag && { tags: flags.tag }),
      ...(flags.time !== undefined && { time: flags.time }),
    })
    if (flags.json) await terminal.print(`${encode(noted, 2)}\n`)
    else {
      await terminal.print(`${noted.id}\n`)
      terminal.talk(noted.isNew ? 'noted\n' : 'noted before\n')
    }
    return 0
  })
}

/** Far above what a note may have: an endless stream must end somewhere. */
const MOST_BYTES = 16 * 1024 * 1024

const fromStdin = async (): Promise<string> => {
  if (process.stdin.isTTY)
    throw new QuarryError('BAD_INPUT', 'There is nothing to remember', { hint: 'quarry remember "…"' })
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of process.stdin) {
    size += piece.length
    if (size > MOST_BYTES) break
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}

export const runForget = async (
  id: string,
  flags: CommonFlags,
  { terminal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const forgotten = await quarry.notes.forget(id)
    const { name, turn, text } = forgotten
    if (flags.json) await terminal.print(`${encode(forgotten, 2)}\n`)
    else
      terminal.talk(
        `forgotten: ${sanitiseLine(name)}${turn === undefined ? '' : `, turn ${turn}`}: ${sanitiseLine(text.slice(0, 100))}\n`,
      )
    return 0
  })
