/** Opens the engine for one command and closes it whatever happens. */

import { setTimeout as pause } from 'node:timers/promises'
import type { Quarry } from '../index.js'
import { type CommonFlags, overridesOf } from './flags.js'

/** The process ends anyway: tidying up may not hold back an answer or hide an error for longer than this. */
const GRACE_MS = 2_000

export const withQuarry = async <Result>(
  flags: CommonFlags & { readonly trust?: boolean },
  work: (quarry: Quarry) => Promise<Result>,
): Promise<Result> => {
  const { openQuarry } = await import('../index.js')
  const quarry = await openQuarry({
    root: flags.repo ?? process.cwd(),
    overrides: overridesOf(flags),
    trust: flags.trust ?? false,
  })
  try {
    return await work(quarry)
  } finally {
    await Promise.race([quarry.close(), pause(GRACE_MS)])
  }
}
