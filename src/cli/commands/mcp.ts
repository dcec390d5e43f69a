/** `quarry mcp`: the server for coding agents, on stdin and stdout. */

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { QuarryError } from '../../core/errors.js'
import type { RootsOptions } from '../../mcp/open-roots.js'
import { serveStdio } from '../../mcp/serve-stdio.js'
import { fillInBehind } from '../background.js'
import type { Surroundings } from '../program.js'
import { keepHeapSmall } from '../small-heap.js'

interface Flags {
  readonly repo?: readonly string[]
  readonly offline?: boolean
}

export const runMcp = async (flags: Flags, { terminal, signal }: Surroundings): Promise<number> => {
  keepHeapSmall()
  await serveStdio({ ...rootsFrom(flags), version: version(), talk: terminal.talk, signal })
  return 0
}

/** What both servers serve. The engine loads with the first call. */
export const rootsFrom = ({ repo, offline }: Flags): RootsOptions => ({
  roots: [...new Set((repo ?? [process.cwd()]).map(directory))],
  isChosen: repo !== undefined,
  overrides: offline ? { offline: true } : {},
  openQuarry: async options => (await import('../../index.js')).openQuarry({ ...options, watch: true }),
  fillInBehind,
})

/** Said at once: an agent could do nothing about it later. */
const directory = (given: string): string => {
  try {
    const real = realpathSync(given)
    if (statSync(real).isDirectory()) return real
  } catch {
    // Said below, as of a file that is no directory.
  }
  throw new QuarryError('BAD_PATH', `There is no directory ${given}`, { hint: 'quarry mcp --repo DIR' })
}

export const version = (): string =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version
