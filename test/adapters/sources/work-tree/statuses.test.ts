/** Two threads ask about files: the same answers as one, also when one of them dies. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { breather } from '../../../../dist/adapters/sources/work-tree/breather.js'
import { fileStatus } from '../../../../dist/adapters/sources/work-tree/file-status.js'
import { type Statuses, statuses } from '../../../../dist/adapters/sources/work-tree/statuses.js'
import { temporary } from './tree.js'

const LIMIT = 1000n
const ALONE = Number.POSITIVE_INFINITY
const TOGETHER = 0

/** Three thousand files, and some that are no files to read. */
const world = () => {
  const prefix = `${temporary()}/`
  mkdirSync(join(prefix, 'directory'))
  const files = Array.from({ length: 3000 }, (_, number) => `f${number}.ts`)
  for (const [number, path] of files.entries())
    writeFileSync(prefix + path, 'x'.repeat(number === 7 ? 2000 : number === 8 ? 0 : 1))
  return { prefix, files: [...files, 'missing.ts', 'directory'] }
}

const run = async (
  { prefix, files }: ReturnType<typeof world>,
  shareFrom: number,
  whileRunning?: (asked: Statuses) => void,
) => {
  const asked = statuses({ prefix, maxFileBytes: LIMIT, breathe: breather(undefined), shareFrom })
  onTestFinished(() => asked.close())
  for (const path of files) asked.add(path)
  whileRunning?.(asked)
  const batches = await asked.finish()
  expect(batches.flatMap(({ paths }) => paths)).toEqual(files)
  return new Map(
    batches.flatMap(({ paths, stamps, refusals }) => {
      const lines = stamps.split('\n')
      const why = new Map(refusals)
      return paths.map((path, position) => [path, lines[position] || why.get(position)])
    }),
  )
}

test('one thread and two say the same, in the order of the walk', async () => {
  const there = world()
  const alone = await run(there, ALONE)
  for (const path of there.files) expect(alone.get(path)).toEqual(fileStatus(there.prefix + path, LIMIT))
  expect(alone.get('f7.ts')).toEqual({ reason: 'too-large', detail: '2000 bytes' })
  expect(alone.get('f8.ts')).toEqual({ reason: 'empty' })
  expect(alone.get('missing.ts')).toEqual({ reason: 'vanished' })
  expect(alone.get('directory')).toEqual({ reason: 'not-a-file' })
  for (let round = 0; round < 5; round++) expect(await run(there, TOGETHER)).toEqual(alone)
})

test('the death of the second thread loses nothing', async () => {
  const there = world()
  const alone = await run(there, ALONE)
  for (const delay of [0, 10, 30, 60]) {
    const kill = (asked: Statuses) => setTimeout(() => asked.close(), delay)
    expect(await run(there, TOGETHER, kill)).toEqual(alone)
  }
})

test('no file at all', async () => {
  expect(await run({ ...world(), files: [] }, TOGETHER)).toEqual(new Map())
})
