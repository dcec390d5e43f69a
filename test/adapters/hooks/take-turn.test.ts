import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeTurn } from '../../../dist/adapters/hooks/take-turn.js'

const file = () => join(mkdtempSync(join(tmpdir(), 'quarry-turn-')), 'indexes', 'one.waiting')

it('one of many that come together may start', async () => {
  const shared = file()
  const turns = await Promise.all(Array.from({ length: 20 }, () => takeTurn(shared)))
  expect(turns.filter(Boolean)).toHaveLength(1)
  expect(existsSync(shared)).toBe(false)
  expect(await takeTurn(shared)).toBe(true)
})

it('does not wait for a process that was killed while it waited', async () => {
  const shared = file()
  await takeTurn(shared)
  writeFileSync(shared, '')
  expect(await takeTurn(shared)).toBe(false)
  utimesSync(shared, new Date(0), new Date(0))
  expect(await takeTurn(shared)).toBe(true)
})
