/** Finds the evaluation data and the mirrors of repositories; every loader starts from what this answers. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Places {
  /** Holds one folder for each evaluation set. */
  readonly data: string
  /** Holds `<owner>+<name>/repo`; without it repositories are cloned. */
  readonly mirrors?: string
}

/** The root of this repository, seen from `build/bench/sets/`. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))

export const findPlaces = (
  options: { readonly data?: string | undefined } = {},
  environment: NodeJS.ProcessEnv = process.env,
): Places => {
  const data = options.data ?? environment.QUARRY_BENCH_DATA ?? resolve(repositoryRoot, '../shared/data')
  if (!existsSync(data)) {
    throw new Error('There is no evaluation data here; name its directory with --data or QUARRY_BENCH_DATA')
  }
  const mirrors = environment.QUARRY_BENCH_MIRRORS
  return mirrors ? { data: resolve(data), mirrors: resolve(mirrors) } : { data: resolve(data) }
}
