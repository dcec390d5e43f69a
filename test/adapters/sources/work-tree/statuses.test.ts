/** Two threads compare files with their stamps: the same answers as one, also when one of them dies. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { breather } from '../../../../dist/adapters/sources/work-tree/breather.js'
import { fileStatus } from '../../../../dist/adapters/sources/work-tree/file-status.js'
import { sharedStatuses, statuses } from '../../../../dist/adapters/sources/work-tree/statuses.js'
import { temporary } from './tree.js'

const LIMIT = 1000n

/** Three thousand files, one in ten with a wrong stamp, and some that are no files to read. */
const world = () => {
  const prefix = `${temporary()}/`
  const files = new Map<string, string>()
  mkdirSync(join(prefix, 'directory'))
  for (let number = 0; number < 3000; number++) {
    const path = `f${number}.ts`
    writeFileSync(prefix + path, 'x'.repeat(number === 7 ? 2000 : number === 8 ? 0 : 1))
    const status = fileStatus(prefix + path, LIMIT)
    files.set(path, typeof status === 'string' && number % 10 !== 0 ? status : 'another stamp')
  }
  return { prefix, files: files.set('missing.ts', '').set('directory', '') }
}

const run = async (
  { prefix, files }: ReturnType<typeof world>,
  collect: typeof sharedStatuses,
  whileRunning?: (collected: ReturnType<typeof sharedStatuses>) => void,
) => {
  const differences = new Map<string, unknown>()
  const collected = collect(
    prefix,
    LIMIT,
    (path, status) => differences.set(path, status),
    breather(undefined),
  )
  onTestFinished(() => collected.close())
  for (const [path, stamp] of files) collected.add(path, stamp)
  whileRunning?.(collected)
  await collected.finish()
  return new Map([...differences].sort())
}

test('one thread and two find the same differences', async () => {
  const files = world()
  const alone = await run(files, statuses)
  expect(alone.size).toBe(304)
  expect(alone.get('f7.ts')).toEqual({ reason: 'too-large', detail: '2000 bytes' })
  expect(alone.get('f8.ts')).toEqual({ reason: 'empty' })
  expect(alone.get('missing.ts')).toEqual({ reason: 'vanished' })
  expect(alone.get('directory')).toEqual({ reason: 'not-a-file' })
  for (let round = 0; round < 5; round++) expect(await run(files, sharedStatuses)).toEqual(alone)
})

test('the death of the second thread loses nothing', async () => {
  const files = world()
  const alone = await run(files, statuses)
  for (const delay of [0, 10, 30, 60]) {
    const kill = (collected: ReturnType<typeof sharedStatuses>) => setTimeout(() => collected.close(), delay)
    expect(await run(files, sharedStatuses, kill)).toEqual(alone)
  }
})
