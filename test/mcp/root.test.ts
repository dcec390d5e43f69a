/** One look for changes at a time, whoever asks; another indexer is waited for; whoever cancels stops nobody else. */

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Answer, type Progress, type Quarry, QuarryError, type SearchRequest } from '../../dist/index.js'
import { openRoot } from '../../dist/mcp/root.js'

const made: Answer = {
  ...{ query: '', hits: [], warnings: [{ code: 'EMPTY_QUESTION', message: 'empty' }] },
  index: { documents: 1, chunks: 1, vectors: {}, indexedAt: '2026-01-01T00:00:00.000Z' },
}
const unfinished: Answer = {
  ...made,
  warnings: [{ code: 'INDEXING', message: 'another one is at work' }],
  index: { ...made.index, indexedAt: null },
}
const walking: Progress = { stage: 'history', done: 1, total: 2, rate: 1, etaSeconds: null }

const rootOf = (
  search: (request: SearchRequest) => Promise<Answer>,
  isChosen = true,
  directory = '/projects/x',
) => {
  const seen = { searches: 0, opened: 0, filled: 0 }
  const root = openRoot({
    ...{ directory, isChosen, overrides: {}, signal: new AbortController().signal },
    openQuarry: async () => {
      seen.opened++
      const ask = (_: string, request: SearchRequest = {}) => {
        seen.searches++
        return search(request)
      }
      return { search: ask, find: ask, close: async () => {} } as unknown as Quarry
    },
    fillInBehind: async () => {
      seen.filled++
      return true
    },
  })
  return { root, seen }
}
const waiting = (onProgress: (progress: Progress) => void = () => {}) => ({
  signal: new AbortController().signal,
  onProgress,
})

describe('a root', () => {
  it('looks once for all who ask at the same time, and tells all of them how far it is', async () => {
    const { root, seen } = rootOf(async ({ onProgress }) => {
      await pause(30)
      onProgress?.(walking)
      return made
    })
    const told: number[] = []
    const all = [0, 1, 2].map(i =>
      root.freshen(
        'code',
        waiting(() => told.push(i)),
      ),
    )
    expect(await Promise.all(all)).toEqual([[], [], []])
    expect(seen).toEqual({ searches: 1, opened: 1, filled: 1 })
    expect(told).toEqual([0, 1, 2])
    await root.freshen('code', waiting())
    await root.freshen('hunk', waiting())
    expect(seen).toMatchObject({ searches: 3, opened: 1 })
  })

  it('waits while another process makes the first index', async () => {
    let tries = 0
    const { root, seen } = rootOf(async () => {
      tries++
      if (tries === 1) throw new QuarryError('INDEX_LOCKED', 'another indexer is at work')
      return tries === 2 ? unfinished : made
    })
    expect(await root.freshen('code', waiting())).toEqual([])
    expect(seen.searches).toBe(3)
  })

  it('says of an index that is refreshed elsewhere what there is to say, at once', async () => {
    const { root, seen } = rootOf(async () => ({ ...made, warnings: unfinished.warnings }))
    expect(await root.freshen('code', waiting())).toEqual(unfinished.warnings)
    expect(seen.searches).toBe(1)
  })

  it('lets those who join a look at a finished index go ahead, and the one who began it wait', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let looks = 0
    const { root } = rootOf(async () => {
      if (looks++ > 0) await held
      return made
    })
    await root.freshen('code', waiting())
    const first = root.freshen('code', waiting())
    expect(await root.freshen('code', waiting())).toMatchObject([{ code: 'INDEXING' }])
    release()
    expect(await first).toEqual([])
    expect(looks).toBe(2)
  })

  it('lets nobody wait for a look where many ask, and says what may be missing', async () => {
    let release = (): void => {}
    let isSlow = false
    const { root } = rootOf(async () => {
      if (isSlow)
        await new Promise<void>(resolve => {
          release = resolve
        })
      return made
    })
    await root.freshen('code', waiting())
    isSlow = true
    const alone = root.freshen('code', waiting())
    await pause(300)
    release()
    expect(await alone).toEqual([])
    isSlow = false
    for (let call = 0; call < 4; call++) await root.freshen('code', waiting())
    isSlow = true
    expect(await root.freshen('code', waiting())).toMatchObject([{ code: 'INDEXING' }])
    release()
  })

  it('lets one go without stopping the others', async () => {
    const { root } = rootOf(async ({ signal }) => {
      await pause(60)
      expect(signal?.aborted).toBe(false)
      return made
    })
    const leaving = new AbortController()
    const one = root.freshen('code', { signal: leaving.signal, onProgress: () => {} })
    const other = root.freshen('code', waiting())
    leaving.abort()
    await expect(one).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await other).toEqual([])
  })

  it('tries again after a failure', async () => {
    let fails = true
    const { root } = rootOf(async () => {
      if (fails) throw new QuarryError('DISK_FULL', 'no room')
      return made
    })
    await expect(root.freshen('code', waiting())).rejects.toMatchObject({ code: 'DISK_FULL' })
    fails = false
    expect(await root.freshen('code', waiting())).toEqual([])
  })

  it('does not search a whole disk that nobody named', async () => {
    const started = rootOf(async () => made, false, '/')
    await expect(started.root.freshen('code', waiting())).rejects.toMatchObject({ code: 'BAD_PATH' })
    expect(started.seen.opened).toBe(0)
    expect(await rootOf(async () => made, true, '/').root.freshen('code', waiting())).toEqual([])
  })
})
