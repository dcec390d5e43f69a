/** Contract of a store, first part: documents go in whole and come back as they were. */

import type { Skipped } from '../core/types.js'
import { sampleDocument } from './sample-documents.js'
import type { ContractTest } from './store-contract.js'

const STRANGE_TEXT =
  'NUL \u0000 and \u0010 quote " \' emoji 😀 tab \t CR \r\n CJK 検索 RTL שלום combining é end'

export const documentTests: readonly ContractTest[] = [
  [
    'gives chunks back as they were',
    async ({ writer, reader }, { expect }) => {
      const symbols = [{ name: 'mount', kind: 'method', qualifiedName: 'Session.mount', line: 4 }]
      const document = sampleDocument(
        'src/session "x".ts',
        [{ text: STRANGE_TEXT, header: `head \u0000 ${STRANGE_TEXT}`, symbols }, { text: '' }, 'third'],
        { language: 'c++', time: 1_700_000_000_123.5 },
      )
      await (await writer()).commit([document], [])
      const chunks = await (await reader()).chunksOf('src/session "x".ts')
      expect(chunks.map(({ id, ...rest }) => ({ ...rest, id: typeof id }))).toEqual(
        document.chunks.map(({ tokens, ...chunk }, ordinal) => ({
          ...chunk,
          id: 'number',
          kind: 'code',
          path: 'src/session "x".ts',
          document: 'src/session "x".ts',
          language: 'c++',
          time: 1_700_000_000_123.5,
          ordinal,
          siblings: 3,
        })),
      )
    },
  ],
  [
    'gives chunks in the order asked for and leaves unknown ones out',
    async ({ writer, reader }, { expect }) => {
      await (await writer()).commit([sampleDocument('a.ts', ['one', 'two', 'three'])], [])
      const index = await reader()
      const [one, two, three] = (await index.chunksOf('a.ts')).map(({ id }) => id) as [number, number, number]
      const found = await index.chunks([three, 987_654, one, two, Number.NaN, -1])
      expect(found.map(({ text }) => text)).toEqual(['three', 'one', 'two'])
      expect(await index.chunks([])).toEqual([])
    },
  ],
  [
    'gives chunks with those beside them, each once and only of the same document',
    async ({ writer, reader }, { expect }) => {
      const documents = [
        sampleDocument('a.ts', ['one', 'two', 'three', 'four', 'five']),
        sampleDocument('b.ts', ['six', 'seven']),
      ]
      await (await writer()).commit(documents, [])
      const index = await reader()
      const ids = new Map(
        [...(await index.chunksOf('a.ts')), ...(await index.chunksOf('b.ts'))].map(({ text, id }) => [
          text,
          id,
        ]),
      )
      const around = async (...texts: string[]) =>
        (await index.chunksAround([...texts.map(text => ids.get(text)!), 987_654, Number.NaN], 1, 1))
          .map(({ text }) => text)
          .sort()
      expect(await around('one')).toEqual(['one', 'two'])
      expect(await around('two', 'three')).toEqual(['four', 'one', 'three', 'two'])
      expect(await around('five', 'six')).toEqual(['five', 'four', 'seven', 'six'])
      expect(await around()).toEqual([])
      expect(await index.chunksAround([ids.get('three')!], 2, 1)).toHaveLength(4)
    },
  ],
  [
    'replaces a document whole',
    async ({ writer, reader }, { expect }) => {
      const index = await writer()
      await index.commit([sampleDocument('a.ts', ['old one', 'old two', 'old three'])], [])
      const old = await (await reader()).chunksOf('a.ts')
      await index.commit([sampleDocument('a.ts', ['new one'])], [])
      const now = await (await reader()).chunksOf('a.ts')
      expect(now.map(({ text, siblings }) => [text, siblings])).toEqual([['new one', 1]])
      expect(await (await reader()).chunks(old.map(({ id }) => id))).toEqual([])
      expect(await (await reader()).state()).toEqual({
        documents: 1,
        chunks: 1,
        vectors: {},
        indexedAt: null,
      })
    },
  ],
  [
    'takes the last of two documents with one path in a commit',
    async ({ writer, reader }, { expect }) => {
      await (await writer()).commit(
        [sampleDocument('a.ts', ['first']), sampleDocument('a.ts', ['second'])],
        [],
      )
      expect((await (await reader()).chunksOf('a.ts')).map(({ text }) => text)).toEqual(['second'])
    },
  ],
  [
    'keeps documents without chunks',
    async ({ writer, reader }, { expect }) => {
      await (await writer()).commit([sampleDocument('empty.ts', [], { stamp: 's', contentHash: 'h' })], [])
      const known = await (await reader()).known('code')
      expect([...known]).toEqual([['empty.ts', { stamp: 's', contentHash: 'h' }]])
      expect(await (await reader()).chunksOf('empty.ts')).toEqual([])
      expect((await (await reader()).state()).documents).toBe(1)
    },
  ],
  [
    'keeps paths apart that differ in case, normal form, wildcards or kind',
    async ({ writer, reader }, { expect }) => {
      const paths = [
        'README.md',
        'readme.md',
        'caf\u00e9.ts',
        'cafe\u0301.ts',
        'a_b.ts',
        'axb.ts',
        'a%b.ts',
        '-rf',
        'new\nline',
      ]
      await (await writer()).commit(
        paths.map(path => sampleDocument(path, [`text of ${path}`])),
        [],
      )
      await (await writer()).commit([sampleDocument('README.md', ['a note'], { kind: 'note' })], [])
      for (const path of paths) {
        expect((await (await reader()).chunksOf(path)).map(({ text }) => text)).toEqual([`text of ${path}`])
      }
      expect((await (await reader()).known('code')).size).toBe(paths.length)
      expect([...(await (await reader()).known('note')).keys()]).toEqual(['README.md'])
    },
  ],
  [
    'removes documents of one kind and ignores unknown paths',
    async ({ writer, reader }, { expect }) => {
      const index = await writer()
      await index.commit([sampleDocument('a.ts', ['code']), sampleDocument('b.ts', ['other'])], [])
      await index.commit([sampleDocument('a.ts', ['a note'], { kind: 'note' })], [])
      await index.remove('code', ['a.ts', 'nowhere.ts'])
      expect([...(await index.known('code')).keys()]).toEqual(['b.ts'])
      expect([...(await index.known('note')).keys()]).toEqual(['a.ts'])
      expect((await (await reader()).chunksOf('a.ts')).map(({ text }) => text)).toEqual(['a note'])
    },
  ],
  [
    'restamps without touching anything else',
    async ({ writer, reader }, { expect }) => {
      const index = await writer()
      await index.commit([sampleDocument('a.ts', ['one'], { stamp: 'before', contentHash: 'same' })], [])
      const before = await (await reader()).chunksOf('a.ts')
      await index.restamp(
        'code',
        new Map([
          ['a.ts', 'after'],
          ['nowhere.ts', 'x'],
        ]),
      )
      expect([...(await index.known('code'))]).toEqual([['a.ts', { stamp: 'after', contentHash: 'same' }]])
      expect(await (await reader()).chunksOf('a.ts')).toEqual(before)
    },
  ],
  [
    'finds chunks by digest',
    async ({ writer, reader }, { expect }) => {
      await (await writer()).commit([sampleDocument('a.ts', ['one', 'two'])], [])
      expect((await (await reader()).chunksByDigest('a.ts#1')).map(({ text }) => text)).toEqual(['two'])
      expect(await (await reader()).chunksByDigest('a.ts#2')).toEqual([])
      expect(await (await reader()).chunksByDigest('a.ts#1\u0000')).toEqual([])
    },
  ],
  [
    'knows nothing of paths that are not there',
    async ({ writer, reader }, { expect }) => {
      await (await writer()).commit([sampleDocument('a', ['one'])], [])
      for (const path of ['', 'b', 'a\u0000b', 'A', 'a/', '%'])
        expect(await (await reader()).chunksOf(path)).toEqual([])
    },
  ],
  [
    'replaces what was left out, kind by kind, sorted by path',
    async ({ writer, reader }, { expect }) => {
      const index = await writer()
      const skipped: Skipped[] = [
        { path: 'z.png', reason: 'binary', stamp: 'seen' },
        { path: 'a.lock', reason: 'ignored-kind', detail: 'lock file' },
      ]
      await index.recordSkipped('code', [{ path: 'old', reason: 'empty' }])
      await index.recordSkipped('code', skipped)
      await index.recordSkipped('note', [{ path: 'm.md', reason: 'too-large' }])
      expect(await (await reader()).skipped()).toEqual([
        skipped[1],
        { path: 'm.md', reason: 'too-large' },
        skipped[0],
      ])
    },
  ],
]
