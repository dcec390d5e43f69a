/** Opens the engine for one command and closes it whatever happens. */

import type { Quarry } from '../index.js'
import { type CommonFlags, overridesOf } from './flags.js'

export const withQuarry = async <Result>(
  flags: CommonFlags,
  work: (quarry: Quarry) => Promise<Result>,
): Promise<Result> => {
  const { openQuarry } = await import('../index.js')
  const quarry = await openQuarry({ root: flags.repo ?? process.cwd(), overrides: overridesOf(flags) })
  try {
    return await work(quarry)
  } finally {
    await quarry.close()
  }
}
