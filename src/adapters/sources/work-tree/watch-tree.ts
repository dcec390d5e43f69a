/**
 * Notices that something in the tree stirred since the last look at it. It watches the directories that the walk entered and
 * no others, so what is ignored wakes nobody. It never says what changed: that is for the next walk to find out. Whatever
 * goes wrong, too many directories for the system included, ends the watching, and then nothing counts as quiet.
 */

import { type FSWatcher, watch } from 'node:fs'
import type { SourceWatch } from '../../../core/ports.js'

export interface TreeWatch extends SourceWatch {
  /** A walk begins. Walks may overlap: each is known by the number that comes back. */
  begin(): number
  /** Before a directory is listed, so that nothing slips between the listing and the watching. */
  look(path: string): void
  /** The directory is part of the tree; names for which `isIgnored` holds are not. */
  enter(path: string, isIgnored: (name: string) => boolean): void
  /** The walk is over; directories that nobody looked at since it began are let go. */
  end(walk: number): void
}

interface Place {
  readonly watcher?: FSWatcher
  isIgnored: (name: string) => boolean
  round: number
}

/** Linux watches single directories only: 4,449 of them took 75 ms; elsewhere the system watches whole trees. */
const WATCHES_TREES = process.platform !== 'linux'

export const watchTree = (root: string, watchesTrees: boolean = WATCHES_TREES): TreeWatch => {
  const places = new Map<string, Place>()
  const listeners = new Set<() => void>()
  let round = 0
  let stirs = 0
  let isOver = false
  let whole: FSWatcher | undefined

  const stir = (): void => {
    stirs++
    for (const listener of listeners) listener()
  }
  const stop = (): void => {
    isOver = true
    whole?.close()
    for (const { watcher } of places.values()) watcher?.close()
    places.clear()
  }
  const fail = (): void => {
    stop()
    stir()
  }
  const start = (path: string, recursive: boolean, hear: (name: string | null) => void): FSWatcher =>
    watch(path, { persistent: false, recursive }, (_, name) => hear(name)).on('error', fail)

  const hearIn =
    (path: string) =>
    (name: string | null): void => {
      const place = places.get(path)
      if (place && (name === null || !place.isIgnored(name))) stir()
    }
  /** Where the whole tree is watched, events of directories that are none of ours arrive too. */
  const hearBelow = (name: string | null): void => {
    if (name === null) stir()
    const path = (name ?? '').replaceAll('\\', '/')
    const slash = path.lastIndexOf('/')
    hearIn(slash === -1 ? '' : path.slice(0, slash))(path.slice(slash + 1))
  }

  return {
    stirs: () => (isOver ? null : stirs),
    onStir: listener => {
      listeners.add(listener)
    },
    close: stop,
    begin: () => ++round,
    look(path) {
      if (isOver) return
      try {
        const known = places.get(path)
        if (known) known.round = round
        else if (watchesTrees) {
          whole ??= start(root, true, hearBelow)
          places.set(path, { isIgnored: never, round })
        } else {
          const watcher = start(path === '' ? root : `${root}/${path}`, false, hearIn(path))
          places.set(path, { watcher, isIgnored: never, round })
        }
      } catch (error) {
        // One that went away in between will be missed by the walk too.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') fail()
      }
    },
    enter(path, isIgnored) {
      const place = places.get(path)
      if (place) place.isIgnored = isIgnored
    },
    end(walk) {
      for (const [path, place] of places) {
        if (place.round >= walk) continue
        place.watcher?.close()
        places.delete(path)
      }
    },
  }
}

const never = (): boolean => false
