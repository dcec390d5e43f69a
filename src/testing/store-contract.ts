/**
 * What every store must do, tested through the port alone: `storeContract({ describe, it, expect }, 'sqlite', makeStore)`.
 * Each test gets an index of its own.
 */

import type { IndexReader, IndexWriter, Store } from '../core/ports.js'
import type { Hooks } from './hooks.js'
import { documentTests } from './store-documents.js'
import { historyTests } from './store-history.js'
import { lifeTests } from './store-life.js'
import { textSearchTests } from './store-text-search.js'
import { vectorTests } from './store-vectors.js'

export interface StoreFixture {
  /** Of an index that does not exist yet. */
  readonly store: Store
  /** What the writer is opened with. */
  readonly root: string
  dispose(): Promise<void>
}

/** What a contract test works with. */
export interface Bench {
  readonly store: Store
  readonly root: string
  /** Opened on first use; closed when the test ends. */
  writer(chunkerId?: string): Promise<IndexWriter>
  reader(): Promise<IndexReader>
  closeWriter(): Promise<void>
}

export type ContractTest = readonly [name: string, body: (bench: Bench, hooks: Hooks) => Promise<void>]

export const storeContract = (hooks: Hooks, name: string, makeStore: () => Promise<StoreFixture>): void => {
  const groups: readonly (readonly [string, readonly ContractTest[]])[] = [
    ['documents', documentTests],
    ['history', historyTests],
    ['text search', textSearchTests],
    ['vectors', vectorTests],
    ['opening, locking, checking', lifeTests],
  ]
  for (const [group, tests] of groups) {
    hooks.describe(`${name} store: ${group}`, () => {
      for (const [title, body] of tests) hooks.it(title, () => runTest(body, hooks, makeStore))
    })
  }
}

const runTest = async (
  body: ContractTest[1],
  hooks: Hooks,
  makeStore: () => Promise<StoreFixture>,
): Promise<void> => {
  const { store, root, dispose } = await makeStore()
  let writer: IndexWriter | undefined
  let reader: IndexReader | undefined
  const closeWriter = async (): Promise<void> => {
    await writer?.close()
    writer = undefined
  }
  try {
    await body(
      {
        store,
        root,
        writer: async (chunkerId = 'chunker-1') => {
          writer ??= await store.openWriter({ root, chunkerId })
          return writer
        },
        reader: async () => {
          reader ??= await store.openReader()
          return reader
        },
        closeWriter,
      },
      hooks,
    )
  } finally {
    await reader?.close()
    await closeWriter()
    await dispose()
  }
}
