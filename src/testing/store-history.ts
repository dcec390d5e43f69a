/** Contract of a store, history: commits with their facts, and hunks that are reached through them. */

import type { ChangedFile, CommitFacts, PreparedChunk, PreparedDocument } from '../core/types.js'
import { embeddingHashOf, plainScoring, sampleVectors } from './sample-documents.js'
import type { Bench, ContractTest } from './store-contract.js'

const commitFacts = (sha: string, author: string, time: number): CommitFacts => ({
  ...{ sha, author, email: `${author.split(' ')[0]!.toLowerCase()}@example.org` },
  ...{ authored: time - 5, committed: time, message: `Change ${sha}\n\nbecause` },
})

const hunk = (sha: string, file: ChangedFile, ordinal: number): PreparedChunk => ({
  ...{
    startLine: 10,
    endLine: 12,
    text: `@@ -10 +10,3 @@\n+added ${ordinal}`,
    header: 'def mount',
    symbols: [],
  },
  ...{ digest: `${sha}.${ordinal}`, file, tokens: null, embeddingHash: null },
})

const modified = (path: string): ChangedFile => ({ path, language: 'python', change: 'modified' })

const commitOf = (
  sha: string,
  author: string,
  time: number,
  files: readonly ChangedFile[],
): PreparedDocument => {
  const commit = commitFacts(sha, author, time)
  const own: PreparedChunk = {
    ...{ startLine: 1, endLine: 3, text: commit.message, header: `summary of ${sha}`, symbols: [] },
    ...{ digest: sha, embeddingHash: embeddingHashOf(sha) },
    tokens: { title: 'change', header: `change because ${sha}`, body: 'needle', tests: 'probe probe' },
  }
  return {
    document: {
      ...{ kind: 'hunk', path: sha, language: 'diff', text: '', contentHash: sha, stamp: sha, time, commit },
      omitted: sha === 'aa' ? [{ path: 'logo.png', reason: 'binary' }] : [],
    },
    chunks: [own, ...files.map((file, at) => hunk(sha, file, at + 1))],
  }
}

const RENAMED: ChangedFile = { path: 'src/b.py', language: 'python', change: 'renamed', oldPath: 'old/b.py' }

const fill = async ({ writer, reader }: Bench) => {
  const index = await writer()
  await index.commit(
    [
      commitOf('aa', 'Ada Lovelace', 1000, [modified('src/a.py'), modified('test/a.py')]),
      commitOf('bb', 'Bob Martin', 2000, [RENAMED]),
      commitOf('cc', 'Ada Lovelace', 3000, []),
    ],
    [sampleVectors('m', { aa: [1, 0], bb: [0, 1], cc: [1, 1] })],
  )
  return { index, opened: await reader() }
}

export const historyTests: readonly ContractTest[] = [
  [
    'gives a commit back with its facts, and its hunks with the files they change',
    async (bench, { expect }) => {
      const { opened } = await fill(bench)
      const [own, first, second] = await opened.chunksOf('aa')
      expect([own?.kind, own?.path, own?.document, own?.siblings]).toEqual(['hunk', 'aa', 'aa', 3])
      expect(own?.commit).toEqual(commitFacts('aa', 'Ada Lovelace', 1000))
      expect([first?.path, first?.document, first?.language, first?.embeddingHash]).toEqual([
        ...['src/a.py', 'aa', 'python', null],
      ])
      expect(second?.file).toEqual(modified('test/a.py'))
      expect((await opened.chunksOf('bb'))[1]?.file).toEqual(RENAMED)
    },
  ],
  [
    'finds commits by any of their fields and never their hunks by themselves',
    async (bench, { expect }) => {
      const { opened } = await fill(bench)
      const found = await opened.matchTerms(
        [{ token: 'probe', weight: 1 }],
        plainScoring({ tests: 1 }),
        {},
        10,
      )
      expect(found.map(({ id }) => id)).toHaveLength(3)
      expect(
        await opened.matchTerms([{ token: 'probe', weight: 1 }], plainScoring({ body: 1 }), {}, 10),
      ).toEqual([])
      expect((await opened.frequencies(['needle'])).total).toBe(3)
      expect(await opened.nearest('m', Float32Array.of(1, 0), {}, 10)).toHaveLength(3)
      expect((await opened.state()).vectors.m).toBe(1)
    },
  ],
  [
    'narrows by author, by the files a commit changes, and by time',
    async (bench, { expect }) => {
      const { opened } = await fill(bench)
      const shas = async (filter: Parameters<typeof opened.matchTerms>[2]) => {
        const found = await opened.matchTerms(
          [{ token: 'needle', weight: 1 }],
          plainScoring({ body: 1 }),
          filter,
          10,
        )
        return (await opened.chunks(found.map(({ id }) => id))).map(chunk => chunk.document).sort()
      }
      expect(await shas({ author: 'ADA' })).toEqual(['aa', 'cc'])
      expect(await shas({ author: 'bob@example' })).toEqual(['bb'])
      expect(await shas({ paths: ['test/**'] })).toEqual(['aa'])
      expect(await shas({ paths: ['old/**'] })).toEqual(['bb'])
      expect(await shas({ languages: ['python'] })).toEqual(['aa', 'bb'])
      expect(await shas({ languages: ['go'] })).toEqual([])
      expect(await shas({ since: 1500 })).toEqual(['bb', 'cc'])
    },
  ],
  [
    'gives the hunks of a file under any of its names, of the newest commits first',
    async (bench, { expect }) => {
      const { index, opened } = await fill(bench)
      await index.commit(
        [commitOf('dd', 'Ada Lovelace', 4000, [modified('src/b.py'), modified('src/a.py')])],
        [],
      )
      const hunks = async (paths: string[], limit = 10) =>
        (await opened.hunksAt(paths, limit)).map(chunk => `${chunk.document} ${chunk.path}`)
      expect(await hunks(['src/a.py'])).toEqual(['dd src/a.py', 'aa src/a.py'])
      expect(await hunks(['old/b.py'])).toEqual(['bb src/b.py'])
      expect(await hunks(['src/a.py', 'src/b.py'])).toEqual([
        ...['dd src/b.py', 'dd src/a.py', 'bb src/b.py', 'aa src/a.py'],
      ])
      expect(await hunks(['src/a.py', 'src/b.py'], 1)).toEqual(['dd src/b.py', 'dd src/a.py'])
      expect(await hunks(['a.py'])).toEqual([])
      expect(await hunks([])).toEqual([])
      expect((await opened.hunksAt(['src/a.py'], 1))[0]?.commit?.sha).toBe('dd')
    },
  ],
  [
    'tells which parts of a commit were left out, and forgets all of it with the commit',
    async (bench, { expect }) => {
      const { index, opened } = await fill(bench)
      expect(await opened.skipped()).toEqual([{ path: 'aa:logo.png', reason: 'binary' }])
      expect((await opened.chunksByDigest('aa.1')).map(({ path }) => path)).toEqual(['src/a.py'])
      await index.remove('hunk', ['aa'])
      expect(await opened.skipped()).toEqual([])
      expect(await opened.chunksOf('aa')).toEqual([])
      expect(await opened.chunksByDigest('aa.1')).toEqual([])
      expect(await bench.store.check(true)).toEqual([])
    },
  ],
  [
    'remembers what the source was called when a run was complete',
    async (bench, { expect }) => {
      const { index, opened } = await fill(bench)
      expect(await opened.sourceStamp()).toBe(null)
      await index.begin('part of tips')
      expect(await opened.sourceStamp()).toBe('part of tips')
      await index.finish(1, 'tips')
      expect(await opened.sourceStamp()).toBe('tips')
      await index.finish(2)
      expect(await opened.sourceStamp()).toBe(null)
    },
  ],
]
