/** `quarry models`: which models there are, which are here, and bringing, checking and deleting them. */

import { QuarryError } from '../../core/errors.js'
import type { ModelState, Models, Quarry } from '../../index.js'
import { encode } from '../../present/json.js'
import { type Paint, paintWith } from '../../present/paint.js'
import { sanitiseLine } from '../../present/sanitise.js'
import { warningText } from '../../present/talk.js'
import type { CommonFlags } from '../flags.js'
import { withQuarry } from '../open.js'
import type { Surroundings } from '../program.js'
import type { Terminal } from '../terminal.js'

type Action = 'list' | 'pull' | 'verify' | 'remove'

export const runModels = async (
  action: Action,
  name: string | undefined,
  flags: CommonFlags,
  { terminal, signal }: Surroundings,
): Promise<number> =>
  withQuarry(flags, async quarry => {
    const states = await ACTIONS[action](quarry, name, terminal, signal)
    const paint = paintWith(terminal.colour)
    await terminal.print(flags.json ? `${encode({ models: states }, 2)}\n` : table(states, paint))
    terminal.talk(warningText(quarry.warnings, terminal.paint))
    return 0
  })

type Act = (
  quarry: Quarry,
  name: string | undefined,
  terminal: Terminal,
  signal: AbortSignal,
) => Promise<readonly ModelState[]>

const list: Act = ({ models }) => models.list()

const pull: Act = async ({ models }, name, terminal, signal) => {
  const names = name === undefined ? await namesOf(models, ({ chosen }) => chosen) : [name]
  const states: ModelState[] = []
  for (const each of names) {
    const bar = downloadBar(each, terminal)
    try {
      states.push(await models.pull(each, { onProgress: bar.show, signal }))
    } finally {
      bar.clear()
    }
  }
  return states
}

const verify: Act = async ({ models }, name) => {
  const names = name === undefined ? await namesOf(models, ({ directory }) => directory !== null) : [name]
  const states: ModelState[] = []
  for (const each of names) states.push(await models.verify(each))
  return states
}

const namesOf = async (
  models: Models,
  isWanted: (model: ModelState) => boolean,
): Promise<readonly string[]> => (await models.list()).filter(isWanted).map(model => model.name)

const remove: Act = async ({ models }, name = '') => {
  if (!(await models.list()).some(model => model.name === name)) {
    throw new QuarryError('BAD_INPUT', `There is no model ${name}`, { hint: 'quarry models list' })
  }
  await models.remove(name)
  return (await models.list()).filter(model => model.name === name)
}

const ACTIONS: Readonly<Record<Action, Act>> = { list, pull, verify, remove }

const table = (models: readonly ModelState[], paint: Paint): string => {
  const width = Math.max(0, ...models.map(({ name }) => name.length))
  return models
    .map(({ name, role, bytes, present, chosen, directory }) => {
      const mark = chosen ? '*' : ' '
      const state = present
        ? paint.good('here   ')
        : directory === null
          ? paint.faint('missing')
          : paint.warning('damaged')
      const place = directory === null ? '' : `  ${paint.faint(sanitiseLine(directory))}`
      return `${mark} ${name.padEnd(width)}  ${role.padEnd(8)}  ${megabytes(bytes)}  ${state}${place}\n`
    })
    .join('')
}

const megabytes = (bytes: number): string =>
  bytes === 0 ? '—'.padStart(10) : `${(bytes / 1e6).toFixed(1).padStart(7)} MB`

const downloadBar = (name: string, terminal: Terminal) => ({
  show: (done: number, total: number): void => {
    if (!terminal.talksToTerminal) return
    const share = total > 0 ? ` of ${megabytes(total).trim()}` : ''
    terminal.talk(`\r\x1b[2Kdownloading ${sanitiseLine(name)}: ${megabytes(done).trim()}${share}`)
  },
  clear: (): void => {
    if (terminal.talksToTerminal) terminal.talk('\r\x1b[2K')
  },
})
