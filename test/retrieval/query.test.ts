/** The query path while an indexer writes: an answer is of one state of the index. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { sqliteStore } from '../../dist/adapters/stores/sqlite/index.js'
import { profiles } from '../../dist/config/profiles.js'
import type { IndexReader } from '../../dist/core/ports.js'
import { query } from '../../dist/retrieval/query.js'
import { sampleDocument } from '../../dist/testing/index.js'

const openIndex = async () => {
  const root = mkdtempSync(join(tmpdir(), 'quarry-query-'))
  const store = sqliteStore({ directory: join(root, 'index'), root, now: Date.now })
  const writer = await store.openWriter({ root, chunkerId: 'chunker-1' })
  await writer.commit(
    [sampleDocument('other.ts', ['one other']), sampleDocument('own.ts', ['flint first'])],
    [],
  )
  const reader = await store.openReader()
  onTestFinished(async () => {
    await reader.close()
    await writer.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { writer, reader }
}

const ask = async (index: IndexReader) => {
  const options = { source: 'code', settings: profiles.best, filter: {}, limit: 3, now: 0 } as const
  const parts = { index, embedders: [], reranker: null, expander: null }
  const { candidates } = await query('flint', parts, options)
  return candidates.map(({ chunk }) => `${chunk.path}: ${chunk.text}`)
}

it('a file that is replaced between the lanes and the reading is found as it is now', async () => {
  const { writer, reader } = await openIndex()
  let changes = 0
  // The ids that the lanes found are another text's by the time they are read.
  const index: IndexReader = {
    ...reader,
    async chunks(ids) {
      if (changes++ === 0)
        await writer.commit(
          [sampleDocument('own.ts', ['flint second']), sampleDocument('other.ts', ['another one'])],
          [],
        )
      return reader.chunks(ids)
    },
  }
  expect(await ask(index)).toEqual(['own.ts: flint second'])
  expect(changes).toBeGreaterThan(1)
})

it('an indexer that never rests is not waited for', async () => {
  const { writer, reader } = await openIndex()
  let changes = 0
  const index: IndexReader = {
    ...reader,
    async chunks(ids) {
      await writer.commit([sampleDocument('busy.ts', [`change ${changes++}`])], [])
      return reader.chunks(ids)
    },
  }
  expect(await ask(index)).toEqual(['own.ts: flint first'])
})
