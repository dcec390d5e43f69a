/** A directory for one test, and stores in it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { sqliteStore } from '../../../../dist/adapters/stores/sqlite/index.js'

const made: string[] = []

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

export const scratchDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-store-'))
  made.push(directory)
  return directory
}

export const ROOT = '/a/work tree'
export const IDENTITY = { root: ROOT, chunkerId: 'chunker-1' } as const

export const storeIn = (directory: string, now?: () => number) =>
  sqliteStore({ directory, root: ROOT, ...(now && { now }) })
