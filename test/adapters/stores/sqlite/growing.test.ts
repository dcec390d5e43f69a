import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TextScoring } from '../../../../dist/core/ports.js'
import { sampleDocument, sampleVectors, unit } from '../../../../dist/testing/index.js'
import { randomNumbers } from './processes.js'
import { IDENTITY, scratchDirectory, storeIn } from './scratch.js'

const lengths = {
  ...{ body: 0.75, header: 0.5, path: 0.5, symbols: 0.5 },
  ...{ title: 0.5, tests: 0.75, removed: 0.75, notes: 0.75 },
}
const SCORING: TextScoring = { weights: { body: 1, header: 2 }, k1: 1.2, lengthCorrection: lengths }
const WORDS = ['lamp', 'garden', 'wall', 'key', 'river', 'stone', 'window', 'bread']

/** A reader keeps what did not change; whatever happens to the index, it must answer like one that was just opened. */
describe('a reader of an index that grows and shrinks', () => {
  it('answers as a new one does', async () => {
    const store = storeIn(join(scratchDirectory(), 'index'))
    const writer = await store.openWriter(IDENTITY)
    const random = randomNumbers(7)
    const pick = (most: number): number => Math.floor(random() * most)
    const sentence = (): string => Array.from({ length: 2 + pick(9) }, () => WORDS[pick(8)]).join(' ')
    const put = async (path: string, hasVectors: boolean): Promise<void> => {
      const texts = Array.from({ length: 1 + pick(4) }, sentence)
      const vectors = Object.fromEntries(texts.map(text => [text, Array.from({ length: 4 }, random)]))
      await writer.commit([sampleDocument(path, texts)], hasVectors ? [sampleVectors('m', vectors)] : [])
    }
    await put('first.ts', true)
    const old = await store.openReader()
    for (let round = 0; round < 60; round++) {
      const change = pick(10)
      // Mostly additions: those are what a reader takes in without reading everything again.
      if (change < 7) await put(`added-${round}.ts`, true)
      else if (change === 7) await put(`added-${pick(round + 1)}.ts`, true)
      else if (change === 8) await writer.remove('code', [`added-${pick(round + 1)}.ts`])
      else await put(`bare-${round}.ts`, false)
      if (pick(4) === 0) await writer.finish(round)
      if (pick(3) === 0) continue
      const fresh = await store.openReader()
      const terms = [WORDS[pick(8)]!, WORDS[pick(8)]!].map(token => ({ token, weight: 1 }))
      const question = unit(Array.from({ length: 4 }, random))
      for (const limit of [3, 1000]) {
        const found = await fresh.matchTerms(terms, SCORING, {}, limit)
        expect(await old.matchTerms(terms, SCORING, {}, limit)).toEqual(found)
        const ids = found.map(({ id }) => id)
        expect(await old.chunks(ids)).toEqual(await fresh.chunks(ids))
        const byId = (one: { id: number }, other: { id: number }) => one.id - other.id
        const beside = (await old.chunksAround(ids, 1, 1)).map(({ id, text }) => ({ id, text }))
        const expected = (await fresh.chunksAround(ids, 1, 1)).map(({ id, text }) => ({ id, text }))
        expect(beside.sort(byId)).toEqual(expected.sort(byId))
        const near = await fresh.nearest('m', question, {}, limit)
        expect(await old.nearest('m', question, {}, limit)).toEqual(near)
        const filter = { paths: ['added-1*'] }
        expect(await old.nearest('m', question, filter, limit)).toEqual(
          await fresh.nearest('m', question, filter, limit),
        )
      }
      expect(await old.frequencies(WORDS)).toEqual(await fresh.frequencies(WORDS))
      expect(await old.state()).toEqual(await fresh.state())
      await fresh.close()
    }
    await old.close()
    await writer.close()
  })
})
