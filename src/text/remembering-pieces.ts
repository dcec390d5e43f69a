/**
 * As `remembering`, for pieces of a text: a piece that is known is found without being cut out of it. For the words of hundreds of
 * texts, cutting them out and looking them up in a Map takes longer than all that is done with them.
 */

import { detached } from './remembering.js'

export type OfPiece<Result> = (text: string, start: number, end: number) => Result

/** So many places are tried: words that were made to meet in one place are worked out anew, not looked for without end. */
const MOST_TRIES = 8
/** FNV-1a. */
const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** A pure function of one string that remembers what it said, up to so many strings. */
export const rememberingPieces = <Result>(most: number, work: (piece: string) => Result): OfPiece<Result> => {
  const size = 2 ** Math.ceil(Math.log2(2 * most))
  /** Number of an entry, from 1; 0 where there is none. */
  const places = new Uint32Array(size)
  let pieces: string[] = []
  let results: Result[] = []

  const add = (piece: string, place: number): Result => {
    if (pieces.length >= most) {
      places.fill(0)
      pieces = []
      results = []
    }
    const own = detached(piece)
    const result = work(own)
    places[place] = pieces.push(own)
    results.push(result)
    return result
  }

  return (text, start, end) => {
    let hash = BASIS
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
    // The lower bits alone know nothing of the upper ones.
    hash ^= hash >>> 15
    for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
      const place = (hash + attempt) & (size - 1)
      const entry = places[place]!
      if (entry === 0) return add(text.slice(start, end), place)
      if (isAt(pieces[entry - 1]!, text, start, end)) return results[entry - 1]!
    }
    return work(text.slice(start, end))
  }
}

const isAt = (piece: string, text: string, start: number, end: number): boolean => {
  if (piece.length !== end - start) return false
  for (let at = start; at < end; at++) if (piece.charCodeAt(at - start) !== text.charCodeAt(at)) return false
  return true
}
