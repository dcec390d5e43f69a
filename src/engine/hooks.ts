/** Git hooks as the front door shows them: put in, taken out, and what they start behind git. */

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findRepository } from '../adapters/git/find-repository.js'
import type { HookedRepository, installHooks } from '../adapters/hooks/index.js'
import { QuarryError } from '../core/errors.js'
import type { Hooks, Quarry } from './api.js'

interface HookParts {
  readonly root: string
  /** Of the index. */
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly index: Quarry['index']
}

/** Another indexer may be at work for a long time, with everything read before the commit happened. */
const PATIENCE_MS = 15 * 60_000
const RETRY_MS = 2_000

export const openHooks = ({ root, directory, environment, index }: HookParts): Hooks => {
  const optionsFor: (request: Parameters<Hooks['install']>[0]) => Parameters<typeof installHooks>[0] = ({
    entry,
    dryRun = false,
  }) => ({
    root,
    repository: hookedRepository(root),
    starter: { node: process.execPath, entry },
    userConfigs: userConfigs(environment),
    dryRun,
  })
  return {
    install: async request => (await import('../adapters/hooks/index.js')).installHooks(optionsFor(request)),
    remove: async request => (await import('../adapters/hooks/index.js')).removeHooks(optionsFor(request)),
    async refresh(signal) {
      const { takeTurn } = await import('../adapters/hooks/take-turn.js')
      const deadline = Date.now() + PATIENCE_MS
      while (await takeTurn(`${directory}.waiting`, signal)) {
        try {
          return await index({ stage: 'first', ...(signal && { signal }) })
        } catch (error) {
          const isBusy = error instanceof QuarryError && error.code === 'INDEX_LOCKED'
          if (!isBusy || Date.now() > deadline) throw error
        }
        await pause(RETRY_MS, undefined, { signal })
      }
      return null
    },
  }
}

const hookedRepository = (root: string): HookedRepository => {
  const found = findRepository(root)
  if (found?.top) return { ...found, top: found.top }
  const why = found
    ? `${root} is a bare repository: nothing is checked out`
    : `No git repository holds ${root}`
  throw new QuarryError('NOT_A_REPOSITORY', why, {
    hint: 'run it inside a work tree; without one, quarry index keeps the index up to date',
  })
}

/** Where git keeps what its user has set for every repository. */
const userConfigs = ({ HOME, XDG_CONFIG_HOME }: HookParts['environment']): readonly string[] => {
  if (!HOME) return []
  return [join(HOME, '.gitconfig'), join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'config')]
}
