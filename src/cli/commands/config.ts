/** `quarry config`: the settings in force, by dotted key, and on request where each came from. */

import { QuarryError } from '../../core/errors.js'
import { encode } from '../../present/json.js'
import { paintWith } from '../../present/paint.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { warningText } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'

interface Flags extends CommonFlags {
  readonly showOrigin?: boolean
}

interface Entry {
  readonly key: string
  readonly value: unknown
  readonly origin: string
}

export const runConfig = async (
  key: string | undefined,
  flags: Flags,
  { terminal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const entries = choose(flatten(quarry.settings, quarry.origins), key)
    const paint = paintWith(terminal.colour)
    const withOrigin = ({ origin }: Entry): string =>
      flags.showOrigin ? `  ${paint.faint(`# ${sanitiseLine(origin)}`)}` : ''
    const isOne = entries.length === 1 && entries[0]!.key === key
    const show = (entry: Entry): string =>
      `${isOne ? '' : `${entry.key} = `}${sanitiseLine(readable(entry.value, isOne))}${withOrigin(entry)}\n`
    await terminal.print(
      flags.json ? `${encode(isOne ? entries[0] : { settings: entries }, 2)}\n` : entries.map(show).join(''),
    )
    terminal.talk(warningText(quarry.warnings, terminal.paint))
    return 0
  })

/** A key, or everything below one: `multiHop` names four. */
const choose = (entries: readonly Entry[], key: string | undefined): readonly Entry[] => {
  if (key === undefined) return entries
  const chosen = entries.filter(entry => entry.key === key || entry.key.startsWith(`${key}.`))
  if (chosen.length > 0) return chosen
  const close = entries.find(entry => entry.key.toLowerCase().includes(key.toLowerCase()))
  throw new QuarryError('BAD_INPUT', `There is no setting ${key}`, {
    hint: close ? `quarry config ${close.key}` : 'quarry config',
  })
}

/** The origins know where a setting ends: `models.paths` is one setting although it is a table. */
const flatten = (value: object, origins: Readonly<Record<string, string>>, prefix = ''): readonly Entry[] =>
  Object.entries(value)
    .flatMap(([name, part]): readonly Entry[] => {
      const key = `${prefix}${name}`
      const isTable = typeof part === 'object' && part !== null && !Array.isArray(part)
      return isTable && origins[key] === undefined && Object.keys(part).length > 0
        ? flatten(part, origins, `${key}.`)
        : [{ key, value: part, origin: origins[key] ?? 'default' }]
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))

/** A single string is printed bare, for scripts; in a list it is quoted. */
const readable = (value: unknown, isOne: boolean): string =>
  isOne && typeof value === 'string' ? value : JSON.stringify(value)
