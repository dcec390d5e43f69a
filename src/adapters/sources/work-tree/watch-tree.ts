/**
 * Notices that something in the tree stirred since the last look at it. It watches the directories that the walk entered and
 * no others, so what is ignored wakes nobody. It never says what changed: that is for the next walk to find out, which is
 * spared what is remembered of quiet directories. Whatever goes wrong, too many directories for the system included, ends the
 * watching, and then nothing counts as quiet.
 */

import { type FSWatcher, type WatchEventType, watch } from 'node:fs'
import { basename } from 'node:path'
import type { SourceWatch } from '../../../core/ports.js'
import type { Listing } from './list-directory.js'
import { type TreeMemory, treeMemory } from './tree-memory.js'

export interface TreeWatch extends SourceWatch {
  /** A walk begins. Walks may overlap: each is known by the number that comes back. */
  begin(): number
  /** Before a directory is listed, so that nothing slips between the listing and the watching; the listing, where it is known. */
  look(path: string): Listing | undefined
  listed(path: string, listing: Listing): void
  /** The directory is part of the tree; names for which `isIgnored` holds are not. */
  enter(path: string, isIgnored: (name: string) => boolean): void
  /** The walk is over; directories that nobody looked at since it began are let go. */
  end(walk: number): void
  /** Of the files. Empty where the system watches whole trees: there it may name a directory where it means a file. */
  readonly stamps: Pick<TreeMemory, 'stamp' | 'keepStamp' | 'forgetStamp' | 'size'>
}

interface Place {
  readonly watcher?: FSWatcher
  isIgnored: (name: string) => boolean
  round: number
}

/** Linux watches single directories only: 4,449 of them took 75 ms; elsewhere the system watches whole trees. */
const WATCHES_TREES = process.platform !== 'linux'

export const watchTree = (
  root: string,
  { now, watchesTrees = WATCHES_TREES }: { now: () => number; watchesTrees?: boolean },
): TreeWatch => {
  const places = new Map<string, Place>()
  const memory = treeMemory(now)
  const listeners = new Set<() => void>()
  let round = 0
  let stirs = 0
  let isOver = false
  let whole: FSWatcher | undefined

  const stir = (): void => {
    stirs++
    for (const listener of listeners) listener()
  }
  const letGo = (path: string): void => {
    places.get(path)?.watcher?.close()
    places.delete(path)
    memory.close(path)
  }
  const stop = (): void => {
    isOver = true
    whole?.close()
    for (const path of [...places.keys()]) letGo(path)
  }
  const fail = (): void => {
    stop()
    stir()
  }
  const start = (path: string, recursive: boolean, hear: Hear): FSWatcher =>
    watch(path, { persistent: false, recursive }, hear).on('error', fail)

  const hearIn =
    (path: string): Hear =>
    (event, name) => {
      const place = places.get(path)
      if (!place) return
      memory.stirred(path, name)
      if (event === 'rename' && name !== null) moved(path, name)
      if (name === null || !place.isIgnored(name)) stir()
    }
  /** A watcher follows its directory to where it is moved; what has the name now is another one. */
  const moved = (directory: string, name: string): void => {
    const path = directory === '' ? name : `${directory}/${name}`
    const isRoot = directory === '' && name === basename(root)
    if (!isRoot && !places.has(path)) return
    for (const other of [...places.keys()])
      if (isRoot || other === path || other.startsWith(`${path}/`)) letGo(other)
  }
  /** Where the whole tree is watched, events of directories that are none of ours arrive too. */
  const hearBelow: Hear = (_, name) => {
    if (name === null) stir()
    const path = (name ?? '').replaceAll('\\', '/')
    const slash = path.lastIndexOf('/')
    hearIn(slash === -1 ? '' : path.slice(0, slash))('change', path.slice(slash + 1))
  }

  return {
    stirs: () => (isOver ? null : stirs),
    onStir: listener => {
      listeners.add(listener)
    },
    close: stop,
    begin() {
      memory.begin()
      return ++round
    },
    look(path) {
      if (isOver) return undefined
      try {
        const known = places.get(path)
        if (known) known.round = round
        else if (watchesTrees) {
          whole ??= start(root, true, hearBelow)
          places.set(path, { isIgnored: never, round })
        } else {
          const watcher = start(path === '' ? root : `${root}/${path}`, false, hearIn(path))
          places.set(path, { watcher, isIgnored: never, round })
          memory.open(path)
        }
      } catch (error) {
        // One that went away in between will be missed by the walk too.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') fail()
      }
      return memory.listing(path)
    },
    listed: memory.keepListing,
    enter(path, isIgnored) {
      const place = places.get(path)
      if (place) place.isIgnored = isIgnored
    },
    end(walk) {
      for (const [path, place] of places) {
        if (place.round < walk) letGo(path)
      }
    },
    stamps: memory,
  }
}

type Hear = (event: WatchEventType, name: string | null) => void

const never = (): boolean => false
