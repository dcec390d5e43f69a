/** Contract of a store, fourth part: an index is made, opened by many, written by one, checked and thrown away. */

import type { IndexReader } from '../core/ports.js'
import { sampleDocument, sampleVectors } from './sample-documents.js'
import type { ContractTest } from './store-contract.js'

export const lifeTests: readonly ContractTest[] = [
  [
    'says that there is no index yet, and makes one for the first writer',
    async ({ store, writer, reader }, { expect }) => {
      await expect(store.openReader()).rejects.toMatchObject({ code: 'INDEX_MISSING' })
      await expect(store.check(true)).rejects.toMatchObject({ code: 'INDEX_MISSING' })
      await store.purge()
      await writer()
      expect(await (await reader()).state()).toEqual({
        documents: 0,
        chunks: 0,
        vectors: {},
        indexedAt: null,
      })
      expect(await (await reader()).skipped()).toEqual([])
      expect(await store.check(true)).toEqual([])
    },
  ],
  [
    'keeps everything when it is closed and opened again',
    async ({ store, root, writer, closeWriter }, { expect }) => {
      const index = await writer()
      await index.commit([sampleDocument('a.ts', ['one', 'two'])], [sampleVectors('m', { one: [1, 0] })])
      await index.finish(1_700_000_000_000)
      await closeWriter()
      const again = await store.openReader()
      expect(await again.state()).toEqual({
        documents: 1,
        chunks: 2,
        vectors: { m: 0.5 },
        indexedAt: '2023-11-14T22:13:20.000Z',
      })
      expect((await again.chunksOf('a.ts')).map(({ text }) => text)).toEqual(['one', 'two'])
      await again.close()
      const next = await store.openWriter({ root, chunkerId: 'chunker-1' })
      expect([...(await next.known('code')).keys()]).toEqual(['a.ts'])
      await next.close()
    },
  ],
  [
    'has another generation after every change of its chunks, and the same one as long as ids hold',
    async ({ writer, reader }, { expect }) => {
      const index = await writer()
      await index.commit([sampleDocument('a.ts', ['one']), sampleDocument('b.ts', ['two'])], [])
      const open = await reader()
      const seen = [await open.generation()]
      await index.restamp('code', new Map([['a.ts', 'later']]))
      await index.finish(1_700_000_000_000)
      expect(await open.generation()).toBe(seen[0])
      await index.commit([sampleDocument('a.ts', ['three'])], [])
      seen.push(await open.generation())
      await index.remove('code', ['b.ts'])
      seen.push(await open.generation())
      expect(new Set(seen).size).toBe(3)
    },
  ],
  [
    'lets one writer in at a time',
    async ({ store, root, writer, closeWriter }, { expect }) => {
      await writer()
      await expect(store.openWriter({ root, chunkerId: 'chunker-1' })).rejects.toMatchObject({
        code: 'INDEX_LOCKED',
      })
      await expect(store.purge()).rejects.toMatchObject({ code: 'INDEX_LOCKED' })
      await closeWriter()
      const next = await store.openWriter({ root, chunkerId: 'chunker-1' })
      await next.close()
    },
  ],
  [
    'lets readers in while a writer is at work, each with what was committed',
    async ({ store, writer }, { expect }) => {
      const index = await writer()
      const readers: IndexReader[] = []
      for (let round = 1; round <= 5; round++) {
        await index.commit([sampleDocument(`${round}.ts`, ['text', 'more'])], [])
        readers.push(await store.openReader())
        for (const open of readers) expect((await open.state()).chunks).toBe(round * 2)
      }
      for (const open of readers) await open.close()
    },
  ],
  [
    'has old documents cut again when the chunker changes, and leaves notes alone',
    async ({ writer, reader, closeWriter }, { expect }) => {
      const index = await writer('chunker-1')
      await index.commit(
        [sampleDocument('a.ts', ['code'], { stamp: 's', contentHash: 'h' })],
        [sampleVectors('m', { code: [1, 0] })],
      )
      await index.commit(
        [sampleDocument('n.md', ['a note'], { kind: 'note', stamp: 's', contentHash: 'h' })],
        [],
      )
      await closeWriter()
      const next = await writer('chunker-2')
      const { stamp, contentHash } = (await next.known('code')).get('a.ts')!
      expect([stamp === 's', contentHash === 'h']).toEqual([false, false])
      expect((await next.known('note')).get('n.md')).toEqual({ stamp: 's', contentHash: 'h' })
      expect((await (await reader()).chunksOf('a.ts')).map(({ text }) => text)).toEqual(['code'])
      await next.commit([sampleDocument('a.ts', ['code'], { stamp: 's', contentHash: 'h' })], [])
      expect((await next.pending('m', 10)).chunks.map(({ path }) => path)).toEqual(['n.md'])
      await closeWriter()
      expect((await (await writer('chunker-2')).known('code')).get('a.ts')).toEqual({
        stamp: 's',
        contentHash: 'h',
      })
    },
  ],
  [
    'refuses an index of another directory',
    async ({ store, writer, closeWriter }, { expect }) => {
      await writer()
      await closeWriter()
      const other = store.openWriter({ root: '/somewhere/else', chunkerId: 'chunker-1' })
      await expect(other).rejects.toMatchObject({ code: 'INDEX_OUTDATED' })
    },
  ],
  [
    'throws everything away, also under the eyes of a reader, and starts anew',
    async ({ store, writer, reader, closeWriter }, { expect }) => {
      await (await writer()).commit([sampleDocument('a.ts', ['old'])], [])
      await reader()
      await closeWriter()
      await store.purge()
      await expect(store.openReader()).rejects.toMatchObject({ code: 'INDEX_MISSING' })
      await (await writer()).commit([sampleDocument('b.ts', ['new'])], [])
      expect([...(await (await reader()).known('code')).keys()]).toEqual(['b.ts'])
    },
  ],
  [
    'refuses to work once it is closed',
    async ({ store, writer }, { expect }) => {
      const index = await writer()
      const open = await store.openReader()
      await open.close()
      await open.close()
      await index.close()
      await index.close()
      await expect(open.state()).rejects.toMatchObject({ code: 'INTERNAL' })
      await expect(index.known('code')).rejects.toMatchObject({ code: 'INTERNAL' })
    },
  ],
  [
    'passes its own check after much coming and going',
    async ({ store, writer }, { expect }) => {
      const index = await writer()
      for (let round = 0; round < 30; round++) {
        const documents = Array.from({ length: 5 }, (_, n) =>
          sampleDocument(`${(round * 3 + n) % 11}.ts`, [`round ${round}`, `text ${n}`, 'shared']),
        )
        const vectors = sampleVectors('m', { [`round ${round}`]: [1, round], shared: [1, 1] })
        await index.commit(documents, [vectors])
        await index.remove('code', [`${(round * 7) % 11}.ts`])
        if (round % 5 === 0) await index.finish(round)
        expect(await store.check(false)).toEqual([])
      }
      await index.finish(1)
      expect(await store.check(true)).toEqual([])
    },
  ],
]
