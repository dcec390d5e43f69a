/** FAULTS 43: one writer, whoever starts another and however the first one ended. */

import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { hostIdentity, processIdentity } from '../../../../dist/adapters/stores/sqlite/process-identity.js'
import { sampleDocument } from '../../../../dist/testing/index.js'
import { startChild } from './processes.js'
import { execute, select } from './raw.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

const SINCE = 1_700_000_000_000

const emptyIndex = async (): Promise<string> => {
  const directory = join(scratchDirectory(), 'index')
  await (await storeIn(directory).openWriter(IDENTITY)).close()
  return directory
}

const leaveLock = (
  directory: string,
  lock: { pid: number; identity: string; host?: string; heartbeat?: number },
): void =>
  execute(
    directory,
    `INSERT INTO writer_lock VALUES
       (1, 'left', ${lock.pid}, '${lock.identity}', '${lock.host ?? hostIdentity()}', ${SINCE}.0, ${lock.heartbeat ?? SINCE}.0)`,
  )

it('keeps a second process out, names the first, and lets it in when the first was killed', async () => {
  const directory = join(scratchDirectory(), 'index')
  const child = startChild(['hold', directory])
  const { pid } = (await child.line()) as { pid: number }
  const refusal = storeIn(directory).openWriter(IDENTITY)
  await expect(refusal).rejects.toMatchObject({ code: 'INDEX_LOCKED' })
  await expect(storeIn(directory).openWriter(IDENTITY)).rejects.toThrow(
    new RegExp(`already running \\(pid ${pid}, since \\d{4}-\\d\\d-\\d\\dT`),
  )
  await expect(storeIn(directory).purge()).rejects.toMatchObject({ code: 'INDEX_LOCKED' })
  const reader = await storeIn(directory).openReader()
  expect((await reader.state()).documents).toBe(0)
  await reader.close()
  await child.kill()
  const writer = await storeIn(directory).openWriter(IDENTITY)
  await writer.commit([sampleDocument('a.ts', ['one'])], [])
  await writer.close()
})

it('is not fooled by a process number that is in use again', async () => {
  const directory = await emptyIndex()
  leaveLock(directory, { pid: process.ppid, identity: 'another-boot/123' })
  await (await storeIn(directory).openWriter(IDENTITY)).close()
})

it('respects a lock of a process that runs, however long ago it said something', async () => {
  const directory = await emptyIndex()
  leaveLock(directory, { pid: process.ppid, identity: processIdentity(process.ppid)! })
  await expect(storeIn(directory).openWriter(IDENTITY)).rejects.toMatchObject({ code: 'INDEX_LOCKED' })
})

it('takes over from this very process when its own release failed', async () => {
  const directory = await emptyIndex()
  leaveLock(directory, { pid: process.pid, identity: processIdentity(process.pid)! })
  await (await storeIn(directory).openWriter(IDENTITY)).close()
})

it('goes by the heartbeat where it cannot ask: on another machine', async () => {
  const directory = await emptyIndex()
  leaveLock(directory, { pid: 1, identity: 'x', host: 'elsewhere', heartbeat: SINCE })
  const soon = storeIn(directory, () => SINCE + 30_000)
  await expect(soon.openWriter(IDENTITY)).rejects.toMatchObject({ code: 'INDEX_LOCKED' })
  const later = storeIn(directory, () => SINCE + 90_000)
  await (await later.openWriter(IDENTITY)).close()
})

it('shows a heartbeat while it works', async () => {
  vi.useFakeTimers()
  try {
    let time = SINCE
    const directory = join(scratchDirectory(), 'index')
    const writer = await storeIn(directory, () => time).openWriter(IDENTITY)
    time += 60_000
    vi.advanceTimersByTime(11_000)
    expect(select(directory, 'SELECT since, heartbeat FROM writer_lock')).toEqual([
      { since: SINCE, heartbeat: SINCE + 60_000 },
    ])
    await writer.close()
    expect(select(directory, 'SELECT * FROM writer_lock')).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

it('writes nothing more once another one took the lock', async () => {
  const directory = join(scratchDirectory(), 'index')
  const writer = await storeIn(directory).openWriter(IDENTITY)
  execute(directory, "UPDATE writer_lock SET token = 'taken'")
  const late = writer.commit([sampleDocument('a.ts', ['one'])], [])
  await expect(late).rejects.toMatchObject({ code: 'INDEX_LOCKED' })
  await writer.close()
  expect(select(directory, 'SELECT token FROM writer_lock')).toEqual([{ token: 'taken' }])
  expect(select(directory, 'SELECT count(*) AS documents FROM documents')).toEqual([{ documents: 0 }])
})

it('tells processes apart', () => {
  expect(processIdentity(process.pid)).toBe(processIdentity(process.pid))
  expect(processIdentity(process.pid)).not.toBe(processIdentity(process.ppid))
  expect(processIdentity(4_000_000)).toBeNull()
})
