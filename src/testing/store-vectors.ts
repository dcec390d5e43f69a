/** Contract of a store, third part: vectors, the vector lane, and what still waits for a vector. */

import type { ChunkFilter } from '../core/questions.js'
import { embeddingHashOf, sampleDocument, sampleVectors, unit } from './sample-documents.js'
import type { Bench, ContractTest } from './store-contract.js'

const near = async (
  { reader }: Bench,
  embedder: string,
  vector: readonly number[],
  { filter = {}, limit = 10 }: { filter?: ChunkFilter; limit?: number } = {},
): Promise<string[]> => {
  const index = await reader()
  const ranked = await index.nearest(embedder, unit(vector), filter, limit)
  return (await index.chunks(ranked.map(({ id }) => id))).map(({ text }) => text)
}

export const vectorTests: readonly ContractTest[] = [
  [
    'ranks by cosine',
    async (bench, { expect }) => {
      const vectors = sampleVectors('m', {
        east: [1, 0, 0],
        'north east': [1, 1, 0],
        north: [0, 1, 0],
        west: [-1, 0, 0],
      })
      await (await bench.writer()).commit(
        [sampleDocument('a.ts', ['north', 'west', 'east', 'north east'])],
        [vectors],
      )
      expect(await near(bench, 'm', [1, 0.1, 0])).toEqual(['east', 'north east', 'north', 'west'])
      const [best] = await (await bench.reader()).nearest('m', unit([1, 1, 0]), {}, 1)
      expect(best!.score).toBeCloseTo(1, 2)
      const all = await (await bench.reader()).nearest('m', unit([1, 0, 0]), {}, 4)
      expect(all.at(-1)!.score).toBeCloseTo(-1, 2)
      for (const limit of [0, -1, Number.NaN])
        expect(await near(bench, 'm', [1, 0, 0], { limit })).toEqual([])
    },
  ],
  [
    'finds every chunk that shares a text',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit(
        [sampleDocument('a.ts', ['licence']), sampleDocument('b.ts', ['licence', 'code'])],
        [],
      )
      await index.saveVectors(sampleVectors('m', { licence: [1, 0], code: [0, 1] }))
      expect(await near(bench, 'm', [1, 0])).toEqual(['licence', 'licence', 'code'])
      expect((await (await bench.reader()).state()).vectors).toEqual({ m: 1 })
    },
  ],
  [
    'narrows before it cuts off',
    async (bench, { expect }) => {
      const crowd = Array.from({ length: 200 }, (_, n) => sampleDocument(`src/${n}.ts`, [{ text: 'crowd' }]))
      await (await bench.writer()).commit(
        [...crowd, sampleDocument('docs/a.md', ['alone'], { kind: 'note' })],
        [],
      )
      await (await bench.writer()).saveVectors(sampleVectors('m', { crowd: [1, 0], alone: [0.1, 1] }))
      expect(await near(bench, 'm', [1, 0], { filter: { kinds: ['note'] }, limit: 3 })).toEqual(['alone'])
      expect(await near(bench, 'm', [1, 0], { filter: { paths: ['docs'] }, limit: 3 })).toEqual(['alone'])
      expect(await near(bench, 'm', [0, 1], { filter: { paths: ['src/7.ts'] }, limit: 3 })).toEqual(['crowd'])
    },
  ],
  [
    'keeps embedders apart, whatever their dimensions',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit(
        [sampleDocument('a.ts', ['one', 'two'])],
        [sampleVectors('small', { one: [1, 0], two: [0, 1] })],
      )
      await index.saveVectors(sampleVectors('large', { one: [0, 0, 1, 0, 0], two: [1, 0, 0, 0, 0] }))
      expect(await near(bench, 'small', [1, 0])).toEqual(['one', 'two'])
      expect(await near(bench, 'large', [1, 0, 0, 0, 0])).toEqual(['two', 'one'])
      expect(await near(bench, 'unknown', [1, 0])).toEqual([])
      await expect(near(bench, 'small', [1, 0, 0])).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
      await expect(index.saveVectors(sampleVectors('small', { one: [1, 0, 0] }))).rejects.toMatchObject({
        code: 'MODEL_DAMAGED',
      })
      expect(await near(bench, 'small', [1, 0])).toEqual(['one', 'two'])
    },
  ],
  [
    'gives vectors back with length 1',
    async (bench, { expect }) => {
      const vector = unit(Array.from({ length: 100 }, (_, n) => Math.sin(n * n)))
      await (await bench.writer()).commit(
        [sampleDocument('a.ts', ['one', 'two'])],
        [{ embedderId: 'm', dimensions: 100, vectors: new Map([[embeddingHashOf('one'), vector]]) }],
      )
      const ids = (await (await bench.reader()).chunksOf('a.ts')).map(({ id }) => id)
      const vectors = await (await bench.reader()).vectors('m', [...ids, 999])
      expect([...vectors.keys()]).toEqual([ids[0]])
      const back = vectors.get(ids[0]!)!
      expect(Math.hypot(...back)).toBeCloseTo(1, 4)
      expect(back.reduce((sum, value, at) => sum + value * vector[at]!, 0)).toBeGreaterThan(0.999)
      expect((await (await bench.reader()).vectors('unknown', ids)).size).toBe(0)
      const cosines = await (await bench.reader()).cosines('m', vector, [...ids, 999])
      expect([...cosines.keys()]).toEqual([ids[0]])
      expect(cosines.get(ids[0]!)).toBeCloseTo(
        back.reduce((sum, value, at) => sum + value * vector[at]!, 0),
        9,
      )
      expect((await (await bench.reader()).cosines('unknown', vector, ids)).size).toBe(0)
    },
  ],
  [
    'never ranks what cannot be embedded, and does not ask for it again',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit([sampleDocument('a.ts', ['good', 'hopeless', 'broken', 'zero'])], [])
      await index.saveVectors(
        sampleVectors('m', { good: [1, 0], hopeless: null, broken: [Number.NaN, 1], zero: [0, 0] }),
      )
      expect(await near(bench, 'm', [0, 1])).toEqual(['good'])
      expect(await index.pending('m', 10)).toEqual({ total: 0, chunks: [] })
      expect((await (await bench.reader()).state()).vectors).toEqual({ m: 1 })
    },
  ],
  [
    'hands out what waits, newest documents first, each text once',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit(
        [
          sampleDocument('old.ts', ['old', 'shared'], { time: 1000 }),
          sampleDocument('new.ts', ['new'], { time: 3000 }),
          sampleDocument('mid.ts', ['shared', 'mid'], { time: 2000 }),
        ],
        [],
      )
      const waiting = async (limit: number) => {
        const { total, chunks } = await index.pending('m', limit)
        return [total, ...chunks.map(({ text }) => text)]
      }
      const [total, first, ...rest] = await waiting(10)
      expect([total, first]).toEqual([4, 'new'])
      expect([...rest].sort()).toEqual(['mid', 'old', 'shared'])
      expect(rest.at(-1)).toBe('old')
      expect(await waiting(1)).toEqual([4, 'new'])
      expect(await waiting(0)).toEqual([4])
      await index.saveVectors(sampleVectors('m', { new: [1, 0], shared: [0, 1] }))
      expect(await waiting(10)).toEqual([2, 'mid', 'old'])
      expect((await index.pending('other', 10)).total).toBe(4)
      await index.commit([sampleDocument('newest.ts', ['newest'], { time: 4000 })], [])
      expect(await waiting(10)).toEqual([3, 'newest', 'mid', 'old'])
      await index.remove('code', ['mid.ts'])
      expect(await waiting(10)).toEqual([2, 'newest', 'old'])
      expect((await (await bench.reader()).state()).vectors).toEqual({ m: 0.5 })
    },
  ],
  [
    'remembers the vector of a text that goes and comes back',
    async (bench, { expect }) => {
      const index = await bench.writer()
      const others = ['a', 'b', 'c', 'd']
      await index.commit(
        [sampleDocument('a.ts', ['edited']), sampleDocument('b.ts', others)],
        [sampleVectors('m', { edited: [1, 0], a: [0, 1], b: [0, 1], c: [0, 1], d: [0, 1] })],
      )
      await index.commit([sampleDocument('a.ts', ['something else'])], [])
      await index.finish(1000)
      expect((await index.pending('m', 10)).total).toBe(1)
      await index.commit([sampleDocument('a.ts', ['edited'])], [])
      expect((await index.pending('m', 10)).total).toBe(0)
      expect((await near(bench, 'm', [1, 0]))[0]).toBe('edited')
    },
  ],
  [
    'sees vectors that come later, and loses those of removed documents',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit([sampleDocument('a.ts', ['one', 'two', 'three'])], [])
      expect(await near(bench, 'm', [1, 0])).toEqual([])
      await index.saveVectors(sampleVectors('m', { one: [1, 0] }))
      expect(await near(bench, 'm', [1, 0])).toEqual(['one'])
      await index.saveVectors(sampleVectors('m', { two: [1, 0.1] }))
      expect(await near(bench, 'm', [1, 0])).toEqual(['one', 'two'])
      await index.commit([sampleDocument('b.ts', ['one'])], [sampleVectors('m', { four: [0, 1] })])
      expect(await near(bench, 'm', [1, 0])).toEqual(['one', 'one', 'two'])
      await index.remove('code', ['a.ts'])
      expect(await near(bench, 'm', [1, 0])).toEqual(['one'])
      await index.remove('code', ['b.ts'])
      await index.finish(1000)
      expect(await near(bench, 'm', [1, 0])).toEqual([])
    },
  ],
  [
    'keeps nothing of a commit that fails',
    async (bench, { expect }) => {
      const index = await bench.writer()
      await index.commit([sampleDocument('a.ts', ['before'])], [sampleVectors('m', { before: [1, 0] })])
      const broken = {
        embedderId: 'm',
        dimensions: 2,
        vectors: new Map([[embeddingHashOf('after'), Float32Array.of(1, 0, 0)]]),
      }
      await expect(
        index.commit([sampleDocument('a.ts', ['after']), sampleDocument('b.ts', ['more'])], [broken]),
      ).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
      expect((await (await bench.reader()).chunksOf('a.ts')).map(({ text }) => text)).toEqual(['before'])
      expect([...(await index.known('code')).keys()]).toEqual(['a.ts'])
      expect(await near(bench, 'm', [1, 0])).toEqual(['before'])
      expect(await bench.store.check(true)).toEqual([])
    },
  ],
]
