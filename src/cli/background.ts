/** Starts the process that makes the remaining vectors after the command has answered. It ends by itself. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Quarry } from '../index.js'
import { counted } from '../present/talk.js'
import { BELOW_NORMAL, giveWay } from './give-way.js'
import type { Terminal } from './terminal.js'

/** True when it was started; `more` are flags of the command that it goes on with. A second one finds the index locked and ends at once. */
export const fillInBehind = async (quarry: Quarry, more: readonly string[] = []): Promise<boolean> => {
  if (process.env.QUARRY_BACKGROUND === '0') return false
  // A model that is gone is missed by questions, even where all vectors are made.
  if ((await quarry.isComplete()) && (await quarry.missingModels()).length === 0) return false
  if (!(await canEmbed(quarry))) return false
  const main = fileURLToPath(new URL('./main.js', import.meta.url))
  const settings = quarry.settings.offline ? ['--offline'] : []
  const child = spawn(
    process.execPath,
    [main, 'index', '--wait', '--quiet', '--repo', quarry.root, ...settings, ...more],
    {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    },
  )
  child.on('error', () => {})
  child.unref()
  if (child.pid === undefined) return false
  giveWay(BELOW_NORMAL, child.pid)
  return true
}

/** What the process behind is going to fetch, said before it begins; empty where every model is here. */
export const downloadsBehind = async (quarry: Quarry): Promise<string> => {
  if (quarry.settings.offline) return ''
  const names = await quarry.missingModels()
  const missing = (await quarry.models.list()).filter(({ name }) => names.includes(name))
  if (missing.length === 0) return ''
  const megabytes = Math.round(missing.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000)
  const what = `${counted(missing.length, 'model')} (${megabytes} MB)`
  return `downloading ${what} behind, for vectors; --offline or QUARRY_BACKGROUND=0 prevents it\n`
}

/** The same as `fillInBehind`, for people. */
export const fillInSaying = async (
  quarry: Quarry,
  terminal: Terminal,
  more: readonly string[] = [],
): Promise<void> => {
  const downloads = await downloadsBehind(quarry)
  if ((await fillInBehind(quarry, more)) && !terminal.json) terminal.talk(terminal.paint.faint(downloads))
}

/** Without the network a model that is not here will not come. */
const canEmbed = async ({ settings, models }: Quarry): Promise<boolean> =>
  !settings.offline ||
  (await models.list()).some(({ role, chosen, present }) => role === 'embedder' && chosen && present)
