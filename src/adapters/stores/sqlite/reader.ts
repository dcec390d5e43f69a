/** The query side: each call is one read transaction, and what is dear to read is kept until the index changes. */

import type { IndexState } from '../../../core/answers.js'
import { QuarryError } from '../../../core/errors.js'
import type { IndexReader } from '../../../core/ports.js'
import type { ChunkFilter } from '../../../core/questions.js'
import type { Database } from './database.js'
import { allowedChunks } from './filter.js'
import { fileIdentity } from './idle-databases.js'
import { type KeptChunks, keepChunks } from './kept-chunks.js'
import { type ChunkLengths, loadLengths } from './length-norms.js'
import { matchTerms } from './match-terms.js'
import { type VectorLane, vectorLane } from './nearest.js'
import { openForReading } from './open-database.js'
import { frequencyOf, keepPostings, type Postings } from './postings.js'
import { countState, readState, refuseOtherRoot, type StateRow } from './state.js'
import {
  chunksOfDigest,
  chunksOfPath,
  hunksAtPaths,
  knownDocuments,
  skippedDocuments,
} from './stored-chunks.js'
import { type VectorShares, vectorShares } from './vector-shares.js'

const FILTERS_KEPT = 16

/** What was read at one state of the index. */
interface Memory {
  readonly state: StateRow
  readonly postings: Postings
  readonly chunks: KeptChunks
  /** Since this text generation chunks were added and none was removed. */
  readonly intactSince: number
  lengths?: ChunkLengths
  /** How many chunks there are; known as soon as the lengths are. */
  total?: number
  counts?: IndexState
  readonly filters: Map<string, Uint8Array | null>
}

interface Opened {
  readonly database: Database
  readonly file: string
  readonly vectors: VectorLane
  readonly shares: VectorShares
  memory: Memory
}

export const openReader = async (directory: string, root: string): Promise<IndexReader> => {
  let current: Opened | undefined = await open(directory, root)
  let opening: Promise<Opened> | undefined
  let isClosed = false

  /** Deleted and built again by someone else, the old file would answer for ever: then the new one is opened. */
  const latest = async (): Promise<Opened> => {
    if (current && fileIdentity(current.database.path) === current.file) return current
    current?.database.close()
    current = undefined
    opening ??= open(directory, root).finally(() => {
      opening = undefined
    })
    const opened = await opening
    if (isClosed) opened.database.close()
    else current = opened
    return opened
  }

  /** Runs on one snapshot, with a memory that belongs to it. */
  const read = async <Result>(work: (opened: Opened) => Result): Promise<Result> => {
    if (isClosed) throw new QuarryError('INTERNAL', 'The index reader is closed')
    const opened = await latest()
    return opened.database.read(() => {
      const state = readState(opened.database)
      if (!isSameState(state, opened.memory.state))
        opened.memory = remember(opened.database, state, opened.memory)
      return work(opened)
    })
  }

  const allowed = ({ database, memory }: Opened, filter: ChunkFilter): Uint8Array | null => {
    const key = JSON.stringify(filter)
    const known = memory.filters.get(key)
    if (known !== undefined) return known
    const found = allowedChunks(database, filter)
    if (memory.filters.size >= FILTERS_KEPT) memory.filters.clear()
    memory.filters.set(key, found)
    return found
  }

  const lengths = ({ database, memory }: Opened): ChunkLengths => {
    memory.lengths ??= loadLengths(database)
    memory.total ??= countChunks(database)
    return memory.lengths
  }

  return {
    state: () =>
      read(({ database, memory, shares }) => {
        memory.counts ??= countState(database, shares)
        return memory.counts
      }),
    matchTerms: (terms, scoring, filter, limit) =>
      read(opened =>
        matchTerms(opened.memory.postings, lengths(opened), {
          terms,
          scoring,
          limit,
          allowed: allowed(opened, filter),
        }),
      ),
    nearest: (embedder, vector, filter, limit) =>
      read(opened => opened.vectors.nearest(embedder, vector, allowed(opened, filter), limit)),
    chunks: ids => read(({ memory }) => memory.chunks.read(ids)),
    chunksAround: (ids, before, after) => read(({ memory }) => memory.chunks.around(ids, before, after)),
    chunksOf: path => read(({ database }) => chunksOfPath(database, path)),
    hunksAt: (paths, limit) => read(({ database }) => hunksAtPaths(database, paths, limit)),
    chunksByDigest: digest => read(({ database }) => chunksOfDigest(database, digest)),
    known: kind => read(({ database }) => knownDocuments(database, kind)),
    vectors: (embedder, ids) => read(({ vectors }) => vectors.vectors(embedder, ids)),
    cosines: (embedder, vector, ids) => read(({ vectors }) => vectors.cosines(embedder, vector, ids)),
    frequencies: tokens =>
      read(opened => ({
        total: lengths(opened).chunks,
        counts: new Map(tokens.map(token => [token, frequencyOf(opened.memory.postings.listsOf(token))])),
      })),
    sourceStamp: () => read(({ database }) => readState(database).source_stamp),
    skipped: () => read(({ database }) => skippedDocuments(database)),
    generation: () => read(({ memory }) => memory.state.text_generation),
    close: async () => {
      isClosed = true
      current?.database.close()
      current = undefined
    },
  }
}

const open = async (directory: string, root: string): Promise<Opened> => {
  const database = await openForReading(directory)
  try {
    const state = database.read(() => readState(database))
    refuseOtherRoot(state, root, database.path)
    const memory = freshMemory(database, state)
    const opened: Opened = {
      database,
      file: fileIdentity(database.path),
      memory,
      shares: vectorShares(database),
      vectors: vectorLane(database, () => ({
        text: opened.memory.state.text_generation,
        vector: opened.memory.state.vector_generation,
        sweep: opened.memory.state.sweep_generation,
        intactSince: opened.memory.intactSince,
        lastChunk: opened.memory.state.last_chunk,
      })),
    }
    return opened
  } catch (error) {
    database.close()
    throw error
  }
}

const remember = (database: Database, state: StateRow, before: Memory): Memory => {
  // The counts are of vectors too; everything else depends on the text alone.
  if (state.text_generation !== before.state.text_generation)
    return afterAdditions(database, state, before) ?? freshMemory(database, state)
  const { counts: _, ...kept } = before
  return { ...kept, state }
}

/**
 * A note more in a large notebook must not cost reading all of it again. Ids go up and a chunk never changes, so that where none
 * was removed, what is new is what lies behind the last one. Null where some were.
 */
const afterAdditions = (database: Database, state: StateRow, before: Memory): Memory | null => {
  if (before.lengths === undefined || before.total === undefined) return null
  const lastChunk = before.state.last_chunk
  const added = database.value<number>('SELECT count(*) FROM chunks WHERE id > ?', lastChunk)
  const total = countChunks(database)
  if (total !== before.total + added) return null
  return {
    ...{ state, total, intactSince: before.intactSince, chunks: before.chunks, filters: new Map() },
    postings: keepPostings(database, before.postings),
    lengths: before.lengths.extended(database, lastChunk),
  }
}

const countChunks = (database: Database): number => database.value<number>('SELECT count(*) FROM chunks')

const freshMemory = (database: Database, state: StateRow): Memory => ({
  ...{ state, intactSince: state.text_generation, filters: new Map() },
  ...{ postings: keepPostings(database), chunks: keepChunks(database) },
})

const isSameState = (one: StateRow, other: StateRow): boolean =>
  one.text_generation === other.text_generation &&
  one.vector_generation === other.vector_generation &&
  one.sweep_generation === other.sweep_generation &&
  one.finished_at === other.finished_at
