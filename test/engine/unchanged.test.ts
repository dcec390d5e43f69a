/** The name that a whole look leaves in the index: while the tree has it nothing is compared, and it never hides a change. */

import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { workTree } from '../../dist/adapters/sources/work-tree/index.js'
import { sqliteStore } from '../../dist/adapters/stores/sqlite/index.js'
import { shelfOf } from '../../dist/engine/shelf.js'
import { type TakeInParts, takeIn } from '../../dist/engine/take-in.js'
import type { Quarry } from '../../dist/index.js'
import { type Scene, scene } from './scene.js'

/** The stamps of files count from here on. */
const SETTLED_MS = 2_100

let here: Scene
let quarry: Quarry
beforeEach(async () => {
  here = scene()
  quarry = await here.open()
})
afterEach(() => here.end())

const nameInIndex = async (): Promise<string | null> => {
  const { indexDirectory: directory } = await quarry.status()
  const reader = await sqliteStore({ directory, root: here.root }).openReader()
  return reader.sourceStamp().finally(reader.close)
}

const paths = async (question: string): Promise<readonly string[]> =>
  (await quarry.search(question)).hits.map(({ path }) => path)

describe('a tree that rests', () => {
  test('has its name from the run that took all of it in; the next says the same and touches nothing', async () => {
    here.write('picture.png', 'x')
    here.write('binary.bin', '\0')
    await pause(SETTLED_MS)
    const first = await quarry.index({ history: false, stage: 'first' })
    const name = await nameInIndex()
    expect(name).toMatch(/^tree /)
    const second = await quarry.index({ history: false, stage: 'first' })
    expect(second).toMatchObject({ added: 0, changed: 0, removed: 0, skipped: first.skipped })
    expect(second.unchanged).toBe(first.added + 1)
    expect(await nameInIndex()).toBe(name)
    here.write('src/new.ts', 'export const brandNewName = 1\n')
    expect((await paths('brandNewName'))[0]).toBe('src/new.ts')
  })

  test('has none while a file is too young for its stamp to be trusted', async () => {
    writeFileSync(join(here.root, 'young.ts'), 'export const youngName = 1\n')
    await quarry.index({ history: false, stage: 'first' })
    expect(await nameInIndex()).toMatch(/^part of tree /)
    await pause(SETTLED_MS)
    await quarry.index({ history: false, stage: 'first' })
    expect(await nameInIndex()).toMatch(/^tree /)
  })

  test('that comes back to an old state after a run was cut off is compared again', async () => {
    await pause(SETTLED_MS)
    await quarry.index({ history: false, stage: 'first' })
    const name = await nameInIndex()
    const move = (from: string, to: string) => renameSync(join(here.root, from), join(here.root, to))
    move('src', 'elsewhere')
    // Ends with the first batch: what is gone is removed by then.
    const stop = new AbortController()
    const cut = quarry.index({
      ...{ history: false, stage: 'first', signal: stop.signal },
      onProgress: () => stop.abort(),
    })
    await expect(cut).rejects.toMatchObject({ code: 'CANCELLED' })
    move('elsewhere', 'src')
    expect(await nameInIndex()).not.toBe(name)
    expect(await paths('retryWithBackoff')).toContain('src/http/retry.ts')
    expect(await nameInIndex()).toBe(name)
  })

  test('is read again after its index was thrown away', async () => {
    await pause(SETTLED_MS)
    await quarry.index({ history: false, stage: 'first' })
    await quarry.purge()
    expect(await paths('retryWithBackoff')).toContain('src/http/retry.ts')
  })
})

describe('the look of a search', () => {
  test('serves the run that follows, unless the index changed in between', async () => {
    await quarry.index({ history: false, stage: 'first' })
    const { indexDirectory: directory } = await quarry.status()
    const shelf = shelfOf(sqliteStore({ directory, root: here.root }))
    const tree = workTree({ root: here.root })
    let looks = 0
    const source = {
      ...tree,
      look: (signal?: AbortSignal) => {
        looks++
        return tree.look!(signal)
      },
    }
    const embedders = { quick: null } as unknown as TakeInParts['embedders']
    const parts = { root: here.root, shelf, embedders, models: {} as TakeInParts['models'], now: Date.now }
    const job = {
      source,
      chunkerId: 'lines',
      prepareDocument: () => Promise.reject(new Error('unused')),
      worth: () => 0,
    }
    const look = {
      ...(await tree.look!()),
      changes: () => ({ touched: [], gone: [], unchanged: 7, skipped: [] }),
    }
    const reader = await shelf.openReader()
    const run = async (generation: number) =>
      (await takeIn(parts, job, { stage: 'first' }, { look, known: new Map(), generation })).unchanged
    expect([await run(await reader.generation()), looks]).toEqual([7, 0])
    expect([await run((await reader.generation()) - 1), looks]).toEqual([5, 1])
    await shelf.close()
  })
})
