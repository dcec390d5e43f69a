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
}

export interface Postings {
  listsOf(token: string): readonly PostingList[]
  /** Ids of the chunks in a list. */
  read(list: PostingList): Uint32Array
}

/** 16 MB: more than the common words of a hundred thousand chunks. */
const MOST_KEPT = 4_000_000
const MOST_TOKENS = 10_000

export const keepPostings = (database: Database): Postings => {
  const lists = new Map<string, readonly PostingList[]>()
  const read = new Map<string, Uint32Array>()
  let kept = 0
  return {
    listsOf: token => {
      const known = lists.get(token)
      if (known !== undefined) return known
      if (lists.size >= MOST_TOKENS) lists.clear()
      const found = findLists(database, token)
      lists.set(token, found)
      return found
    },
    read: ({ posting }) => {
      const known = read.get(posting)
      if (known !== undefined) return known
      const ids = readList(database, posting)
      if (kept + ids.length > MOST_KEPT) {
        read.clear()
        kept = 0
      }
      read.set(posting, ids)
      kept += ids.length
      return ids
    },
  }
}

/** Document frequency of a token over all fields: each chunk is in one of its lists only. */
export const frequencyOf = (lists: readonly PostingList[]): number =>
  lists.reduce((sum, { length }) => sum + length, 0)

const findLists = (database: Database, token: string): readonly PostingList[] =>
  database
    .all<{ term: string; doc: number }>(
      'SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?',
      ...postingRange(token),
    )
    .map(({ term, doc }) => ({ posting: term, length: doc, counts: decodeClass(term) }))

const readList = (database: Database, posting: string): Uint32Array =>
  parseNumbers(
    database.value<string | null>(
      'SELECT group_concat(rowid) FROM words WHERE words MATCH ?',
      // Our own spelling of a token, in quotes: nothing a person typed can be read as query syntax.
      `"${posting.replaceAll('"', '""')}"`,
    ),
  )
