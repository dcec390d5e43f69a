/** One store with the reader that its questions share: opened by the first, closed when the index is thrown away. */

import { QuarryError } from '../core/errors.js'
import type { IndexReader, Store } from '../core/ports.js'

export interface Shelf {
  readonly store: Store
  openReader(): Promise<IndexReader>
  /** Null while there is no index. */
  openIfThere(): Promise<IndexReader | null>
  purge(): Promise<void>
  close(): Promise<void>
}

export const shelfOf = (store: Store): Shelf => {
  let reader: Promise<IndexReader> | undefined
  const openReader = (): Promise<IndexReader> => {
    reader ??= store.openReader().catch(error => {
      reader = undefined
      throw error
    })
    return reader
  }
  const close = async (): Promise<void> => {
    const opened = reader
    reader = undefined
    await (await opened?.catch(() => undefined))?.close()
  }
  return {
    store,
    openReader,
    openIfThere: () =>
      openReader().catch(error => {
        if (error instanceof QuarryError && error.code === 'INDEX_MISSING') return null
        throw error
      }),
    async purge() {
      await close()
      await store.purge()
    },
    close,
  }
}
