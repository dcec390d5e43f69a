/** Starts the process that makes the remaining vectors after the command has answered. It ends by itself. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Quarry } from '../index.js'
import { BELOW_NORMAL, giveWay } from './give-way.js'

/** True when it was started; `more` are flags of the command that it goes on with. A second one finds the index locked and ends at once. */
export const fillInBehind = async (quarry: Quarry, more: readonly string[] = []): Promise<boolean> => {
  if (process.env.QUARRY_BACKGROUND === '0' || (await quarry.isComplete())) return false
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

/** Without the network a model that is not here will not come. */
const canEmbed = async ({ settings, models }: Quarry): Promise<boolean> =>
  !settings.offline ||
  (await models.list()).some(({ role, chosen, present }) => role === 'embedder' && chosen && present)
