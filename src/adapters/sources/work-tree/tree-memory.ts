/**
 * What looks at the tree saw of its watched directories, kept until something stirs there: after an edit the next look asks
 * about one file instead of all. Nothing is kept for long, because not every change stirs something: another machine writes to
 * a shared disk, a program to a file that has a second name elsewhere.
 */

import type { Listing } from './list-directory.js'

export interface TreeMemory {
  /** Is watched from now on: what is seen of it may be kept. */
  open(directory: string): void
  /** Is not watched any more. */
  close(directory: string): void
  listing(directory: string): Listing | undefined
  /** To be called in the same turn of the event loop as the listing: news of a change come in a later one. */
  keepListing(directory: string, listing: Listing): void
  stamp(path: string): string | undefined
  /** In the same turn of the event loop as well. */
  keepStamp(path: string, stamp: string): void
  /** It is read: whatever had it pass for changed, the next look asks again. */
  forgetStamp(path: string): void
  /** How many stamps are kept. */
  size(): number
  /** Something happened to this name, or nobody knows to which. */
  stirred(directory: string, name: string | null): void
  /** A look begins. */
  begin(): void
}

interface Seen {
  listing: Listing | undefined
  readonly stamps: Map<string, string>
}

const KEPT_MILLISECONDS = 60_000
/** The system drops events when too many wait (16,384 on Linux), and does not always say so. */
const MOST_STIRS = 1_000

export const treeMemory = (now: () => number): TreeMemory => {
  const directories = new Map<string, Seen>()
  let size = 0
  let since = now()
  let stirs = 0

  const forget = (seen: Seen): void => {
    size -= seen.stamps.size
    seen.stamps.clear()
    seen.listing = undefined
  }
  const forgetAll = (): void => {
    for (const seen of directories.values()) forget(seen)
    since = now()
  }
  return {
    open(directory) {
      directories.set(directory, { listing: undefined, stamps: new Map() })
    },
    close(directory) {
      const seen = directories.get(directory)
      if (seen) forget(seen)
      directories.delete(directory)
    },
    listing: directory => directories.get(directory)?.listing,
    keepListing(directory, listing) {
      const seen = directories.get(directory)
      if (seen) seen.listing = listing
    },
    stamp(path) {
      const [directory, name] = split(path)
      return directories.get(directory)?.stamps.get(name)
    },
    keepStamp(path, stamp) {
      const [directory, name] = split(path)
      const stamps = directories.get(directory)?.stamps
      if (!stamps) return
      if (!stamps.has(name)) size++
      stamps.set(name, stamp)
    },
    forgetStamp(path) {
      const [directory, name] = split(path)
      if (directories.get(directory)?.stamps.delete(name)) size--
    },
    size: () => size,
    stirred(directory, name) {
      if (++stirs >= MOST_STIRS) forgetAll()
      const seen = directories.get(directory)
      if (!seen) return
      seen.listing = undefined
      if (name === null) forget(seen)
      else if (seen.stamps.delete(name)) size--
    },
    begin() {
      stirs = 0
      const age = now() - since
      // The clock may have been set back.
      if (age < 0 || age > KEPT_MILLISECONDS) forgetAll()
    },
  }
}

const split = (path: string): [directory: string, name: string] => {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? ['', path] : [path.slice(0, slash), path.slice(slash + 1)]
}
