/** Posting lists out of FTS5, kept in memory as long as the index stays the same: common words come in every question. */

import type { Database } from './database.js'
import { parseNumbers } from './numbers.js'
import { decodeClass, type FieldCounts, postingRange } from './words.js'

/** Those chunks of a token that have it equally often in the same fields. */
export interface PostingList {
  /** What finds the list: `token:class`. */
  readonly posting: string
  readonly length: number
  readonly counts: FieldCounts
  /** The chunks in it, where they came along. */
  readonly ids?: Uint32Array
}

export interface Postings {
  listsOf(token: string): readonly PostingList[]
  /** Ids of the chunks in a list. */
  read(list: PostingList): Uint32Array
  /** What it has read, for the one that follows it. */
  readonly known: KnownPostings
}

interface KnownPostings {
  readonly isSmall: boolean | undefined
  readonly read: ReadonlyMap<string, Uint32Array>
}

/** 16 MB: more than the common words of a hundred thousand chunks. */
const MOST_KEPT = 4_000_000
const MOST_TOKENS = 10_000
/**
 * In a small index all lists of a token are read at once, which takes a third of the time of one after the other; in a large
 * one the longest lists are better left unread, because a question seldom gets that far.
 */
const SMALL_INDEX = 50_000

/** After one to which chunks were only added, a list of the same length is still the same. */
export const keepPostings = (database: Database, before?: Postings): Postings => {
  const lists = new Map<string, readonly PostingList[]>()
  const read = new Map(before?.known.read)
  let kept = 0
  for (const ids of read.values()) kept += ids.length
  const makeRoom = (added: number): void => {
    if (kept + added <= MOST_KEPT && lists.size < MOST_TOKENS) return
    lists.clear()
    read.clear()
    kept = 0
  }
  // Counted by the first question: whoever only wants to know which files there are need not wait for it.
  let isSmall = before?.known.isSmall ? undefined : before?.known.isSmall
  return {
    listsOf: token => {
      const known = lists.get(token)
      if (known !== undefined) return known
      isSmall ??= isSmallIndex(database)
      const found = isSmall ? readLists(database, token) : findLists(database, token)
      const added = isSmall ? frequencyOf(found) : 0
      makeRoom(added)
      lists.set(token, found)
      kept += added
      return found
    },
    read: ({ posting, length, ids }) => {
      const known = ids ?? read.get(posting)
      if (known?.length === length) return known
      const fresh = readList(database, posting)
      makeRoom(fresh.length)
      kept += fresh.length - (read.get(posting)?.length ?? 0)
      read.set(posting, fresh)
      return fresh
    },
    get known() {
      return { isSmall, read }
    },
  }
}

/** Document frequency of a token over all fields: each chunk is in one of its lists only. */
export const frequencyOf = (lists: readonly PostingList[]): number =>
  lists.reduce((sum, { length }) => sum + length, 0)

/** Counts no further than it has to. */
const isSmallIndex = (database: Database): boolean =>
  database.value<number>(
    'SELECT count(*) FROM (SELECT 1 FROM chunks WHERE words IS NOT NULL LIMIT ?)',
    SMALL_INDEX + 1,
  ) <= SMALL_INDEX

const findLists = (database: Database, token: string): readonly PostingList[] =>
  database
    .all<{ term: string; doc: number }>(
      'SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?',
      ...postingRange(token),
    )
    .map(({ term, doc }) => ({ posting: term, length: doc, counts: decodeClass(term) }))

const readLists = (database: Database, token: string): readonly PostingList[] =>
  database
    .all<{ term: string; ids: string }>(
      'SELECT term, group_concat(doc) AS ids FROM occurrences WHERE term >= ? AND term < ? GROUP BY term',
      ...postingRange(token),
    )
    .map(({ term, ids: list }) => {
      const ids = parseNumbers(list)
      return { posting: term, length: ids.length, counts: decodeClass(term), ids }
    })

const readList = (database: Database, posting: string): Uint32Array =>
  parseNumbers(
    database.value<string | null>(
      'SELECT group_concat(rowid) FROM words WHERE words MATCH ?',
      // Our own spelling of a token, in quotes: nothing a person typed can be read as query syntax.
      `"${posting.replaceAll('"', '""')}"`,
    ),
  )
