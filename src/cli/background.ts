/** Starts the process that makes the remaining vectors after the command has answered. It ends by itself. */

import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { IndexState, Quarry, Settings } from '../index.js'

/** True when it was started. A second one finds the index locked and ends at once. */
export const fillInBehind = async (quarry: Quarry, index: IndexState): Promise<boolean> => {
  if (process.env.QUARRY_BACKGROUND === '0' || isComplete(index, quarry.settings)) return false
  if (!(await canEmbed(quarry))) return false
  const main = fileURLToPath(new URL('./main.js', import.meta.url))
  const settings = quarry.settings.offline ? ['--offline'] : []
  const child = spawn(
    process.execPath,
    [main, 'index', '--wait', '--quiet', '--repo', quarry.root, ...settings],
    {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    },
  )
  child.on('error', () => {})
  child.unref()
  if (child.pid === undefined) return false
  try {
    // It must not compete with whoever is typing.
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It may have ended already, or the system may not allow it: both are fine.
  }
  return true
}

/** Counted by what the index holds, so that a fill that was killed is taken up again. */
const isComplete = ({ chunks, vectors }: IndexState, { embedding }: Settings): boolean =>
  chunks === 0 ||
  embedding.models.every(model =>
    Object.entries(vectors).some(([id, share]) => id.startsWith(`${model}/`) && share >= 1),
  )

/** Without the network a model that is not here will not come. */
const canEmbed = async ({ settings, models }: Quarry): Promise<boolean> =>
  !settings.offline ||
  (await models.list()).some(({ role, chosen, present }) => role === 'embedder' && chosen && present)
