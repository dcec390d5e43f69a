/** The index side: each call is one write transaction under the writer's lock. */

import { QuarryError } from '../../../core/errors.js'
import type { IndexIdentity, IndexWriter } from '../../../core/ports.js'
import type { FieldTexts, PreparedDocument } from '../../../core/types.js'
import type { Database } from './database.js'
import { openForWriting } from './open-database.js'
import { pendingVectors } from './pending-vectors.js'
import { firstState, readState, refuseOtherRoot, type StateRow, writeState } from './state.js'
import { chunksById, knownDocuments } from './stored-chunks.js'
import {
  dropDocument,
  forgetContents,
  mergeWords,
  nextIds,
  putDocument,
  replaceSkipped,
  restampDocument,
} from './write-documents.js'
import { putVectors, sweepVectors } from './write-vectors.js'
import { acquireWriterLock, type WriterLock } from './writer-lock.js'

/** Text, its postings and row heads, and as much again in the log. */
const BYTES_FOR_A_CHARACTER = 4

export const openWriter = async (
  directory: string,
  { root, chunkerId }: IndexIdentity,
  now: () => number,
): Promise<IndexWriter> => {
  const database = await openForWriting(directory, firstState(root, chunkerId))
  let lock: WriterLock
  try {
    lock = acquireWriterLock(database, now)
  } catch (error) {
    database.close()
    throw error
  }
  try {
    adopt(database, lock, root, chunkerId)
  } catch (error) {
    lock.release()
    database.close()
    throw error
  }
  return writerOn(database, lock)
}

/** Another chunker cuts differently: what can be read again is; notes stay as they are. */
const adopt = (database: Database, lock: WriterLock, root: string, chunkerId: string): void =>
  lock.write(() => {
    const state = readState(database)
    refuseOtherRoot(state, root, database.path)
    if (state.chunker === chunkerId) return
    for (const kind of ['code', 'hunk'] as const) forgetContents(database, kind)
    writeState(database, { chunker: chunkerId, finished_at: null, source_stamp: null })
  })

const writerOn = (database: Database, lock: WriterLock): IndexWriter => {
  const pending = pendingVectors(database)
  let isOpen = true
  let hasDropped = false
  const whileOpen = async <Result>(work: () => Result): Promise<Result> => {
    if (!isOpen) throw new QuarryError('INTERNAL', 'The index writer is closed')
    return work()
  }

  return {
    known: kind => whileOpen(() => database.read(() => knownDocuments(database, kind))),
    commit: (documents, vectors) =>
      whileOpen(() => {
        if (documents.length === 0 && vectors.length === 0) return
        const durable = documents.some(({ document }) => document.kind === 'note')
        const work = (): void => {
          const ids = nextIds(database)
          for (const document of documents) if (putDocument(database, ids, document)) hasDropped = true
          for (const batch of vectors) putVectors(database, ids, batch)
          writeState(database, { last_chunk: ids.chunks - 1 })
          bump(database, 'text_generation', 'vector_generation')
        }
        lock.write(work, { durable, neededBytes: sizeOf(documents) })
        pending.reset()
      }),
    restamp: (kind, stamps) =>
      whileOpen(() => {
        if (stamps.size === 0) return
        lock.write(() => {
          for (const [path, stamp] of stamps) restampDocument(database, kind, path, stamp)
        })
      }),
    remove: (kind, paths) =>
      whileOpen(() => {
        if (paths.length === 0) return
        lock.write(
          () => {
            const dropped = paths.filter(path => dropDocument(database, kind, path))
            if (dropped.length === 0) return
            hasDropped = true
            bump(database, 'text_generation')
          },
          { durable: kind === 'note' },
        )
        pending.reset()
      }),
    recordSkipped: (kind, skipped) =>
      whileOpen(() => lock.write(() => replaceSkipped(database, kind, skipped))),
    pending: (embedder, limit) =>
      whileOpen(() =>
        database.read(() => {
          const { total, chunks } = pending.list(embedder, limit)
          return { total, chunks: chunksById(database, chunks) }
        }),
      ),
    saveVectors: batch =>
      whileOpen(() => {
        if (batch.vectors.size === 0) return
        lock.write(
          () => {
            putVectors(database, nextIds(database), batch)
            bump(database, 'vector_generation')
          },
          { neededBytes: batch.vectors.size * batch.dimensions * 2 },
        )
        pending.settle(batch)
      }),
    begin: sourceStamp =>
      whileOpen(() => lock.write(() => writeState(database, { source_stamp: sourceStamp }))),
    finish: (at, sourceStamp) =>
      whileOpen(() => {
        lock.write(() => {
          mergeWords(database)
          if (sweepVectors(database, hasDropped)) bump(database, 'sweep_generation')
          writeState(database, { finished_at: at, source_stamp: sourceStamp ?? null })
        })
      }),
    close: async () => {
      if (!isOpen) return
      isOpen = false
      lock.release()
      database.settle()
      database.close()
    },
  }
}

type Generation = 'text_generation' | 'vector_generation' | 'sweep_generation'

const bump = (database: Database, ...generations: readonly Generation[]): void => {
  const state = readState(database)
  const next: Partial<StateRow> = Object.fromEntries(generations.map(name => [name, state[name] + 1]))
  writeState(database, next)
}

const sizeOf = (documents: readonly PreparedDocument[]): number =>
  documents.reduce(
    (sum, { chunks }) =>
      sum +
      chunks.reduce((inner, { text, tokens }) => inner + text.length + charactersIn(tokens), 0) *
        BYTES_FOR_A_CHARACTER,
    0,
  )

const charactersIn = (tokens: FieldTexts | null): number =>
  tokens === null ? 0 : Object.values(tokens).reduce((sum, field) => sum + field.length, 0)
