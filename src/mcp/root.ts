/**
 * One directory that the user allowed: its engine, opened by the first call, and one look for changes at a time however many
 * calls come at once. A call waits for the first index, but not longer than its client would.
 */

import { homedir } from 'node:os'
import { parse } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Progress, Warning } from '../core/answers.js'
import { QuarryError } from '../core/errors.js'
import type { OpenOptions, Quarry } from '../index.js'

export type Kind = 'code' | 'hunk' | 'note'

export interface Waiting {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

export interface Root {
  readonly directory: string
  quarry(): Promise<Quarry>
  /** Indexes what was never indexed and takes in what changed. What the reader should know about it comes back. */
  freshen(kind: Kind, waiting: Waiting): Promise<readonly Warning[]>
  /** The slow vectors are made behind. */
  fillIn(): Promise<void>
  close(): Promise<void>
}

export interface RootParts {
  readonly directory: string
  /** False where it is only where the server happened to be started. */
  readonly isChosen: boolean
  readonly overrides: NonNullable<OpenOptions['overrides']>
  readonly openQuarry: (options: OpenOptions) => Promise<Quarry>
  readonly fillInBehind: (quarry: Quarry) => Promise<boolean>
  /** Aborted when the server ends. */
  readonly signal: AbortSignal
}

/** Clients give up after a minute. What is being made goes on behind, and the next call finds it. */
const PATIENCE_MS = 45_000
/** Once there is an index to ask, a look that finds a lot to do is not worth that long. */
const REFRESH_PATIENCE_MS = 5_000
/** Whoever comes while another call's look is under way: with many agents, one waits for a change and the others work. */
const JOIN_PATIENCE_MS = 100
/** So many calls in a second are no agent's own: whose look it is, is chance then, and nobody waits longer than the others. */
const CROWD = 5
const CROWD_MS = 1_000
const LOCKED_TRIES = 100
const LOCKED_PAUSE_MS = 250

interface Flight {
  readonly ended: Promise<readonly Warning[]>
  readonly listeners: Set<(progress: Progress) => void>
}

export const openRoot = (parts: RootParts): Root => {
  const { directory, isChosen, overrides, openQuarry, fillInBehind, signal } = parts
  let opening: Promise<Quarry> | undefined
  const flights = new Map<Kind, Flight>()
  const filledIn = new Set<Kind>()
  const calls = new Map<Kind, readonly number[]>()
  const isCrowded = (kind: Kind): boolean => {
    const now = performance.now()
    const latest = [...(calls.get(kind) ?? []), now].filter(call => now - call < CROWD_MS).slice(-CROWD)
    calls.set(kind, latest)
    return latest.length === CROWD
  }

  const quarry = (): Promise<Quarry> => {
    if (!isChosen && isTooWide(directory)) return Promise.reject(tooWide(directory))
    const opened = opening ?? openQuarry({ root: directory, overrides })
    opening = opened
    // The next call may find it mended.
    opened.catch(() => {
      opening = undefined
    })
    return opened
  }

  const fillIn: Root['fillIn'] = async () => {
    try {
      await fillInBehind(await quarry())
    } catch {
      // Answers are good without it, and the next run of an index tries again.
    }
  }

  /** The empty question costs nothing and brings the index up to date. */
  const look = async (
    kind: Kind,
    onProgress: Waiting['onProgress'],
    isLast: boolean,
  ): Promise<readonly Warning[]> => {
    const { search, find, recall } = await quarry()
    let hasIndexed = !filledIn.has(kind)
    const answer = await { code: search, hunk: find, note: recall }[kind]('', {
      signal,
      onProgress: progress => {
        hasIndexed = true
        onProgress(progress)
      },
    })
    // Another process makes the first index: what is there of it so far is not worth an answer yet.
    const isBeingMade =
      answer.index.indexedAt === null && answer.warnings.some(({ code }) => code === 'INDEXING')
    if (isBeingMade && !isLast) throw new QuarryError('INDEX_LOCKED', 'The index is unfinished')
    filledIn.add(kind)
    if (hasIndexed) void fillIn()
    return answer.warnings.filter(({ code }) => code !== 'EMPTY_QUESTION')
  }

  const takeOff = (kind: Kind): Flight => {
    const listeners: Flight['listeners'] = new Set()
    const tell = (progress: Progress): void => {
      for (const listener of listeners) listener(progress)
    }
    const ended = whileLocked(isLast => look(kind, tell, isLast), signal).finally(() => flights.delete(kind))
    // Awaited by whoever asked; when all of them went away nobody hears of it.
    ended.catch(() => {})
    return { ended, listeners }
  }

  return {
    directory,
    quarry,
    fillIn,
    async freshen(kind, waiting) {
      const joined = flights.get(kind)
      const isHurried = isCrowded(kind) || joined !== undefined
      const flight = joined ?? takeOff(kind)
      flights.set(kind, flight)
      flight.listeners.add(waiting.onProgress)
      try {
        if (!filledIn.has(kind))
          return await withPatience(flight.ended, waiting.signal, PATIENCE_MS, STILL_INDEXING)
        const patience = isHurried ? JOIN_PATIENCE_MS : REFRESH_PATIENCE_MS
        return await withPatience(flight.ended, waiting.signal, patience, TAKING_IN)
      } finally {
        flight.listeners.delete(waiting.onProgress)
      }
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

const STILL_INDEXING: Warning = {
  code: 'INDEXING',
  message: 'The index is still being made: what is missing here may be there in a minute',
  hint: 'ask again, or call index_status',
}

const TAKING_IN: Warning = {
  code: 'INDEXING',
  message: 'Changes are being taken in: what changed in the last seconds may be missing here',
  hint: 'ask again where that matters',
}

const withPatience = async (
  ended: Promise<readonly Warning[]>,
  signal: AbortSignal,
  patience: number,
  otherwise: Warning,
): Promise<readonly Warning[]> => {
  const done = new AbortController()
  const either = AbortSignal.any([signal, done.signal])
  try {
    return await Promise.race([
      ended,
      pause(patience, [otherwise], { signal: either }).catch(() => {
        throw new QuarryError('CANCELLED', 'The call was cancelled')
      }),
    ])
  } finally {
    done.abort()
  }
}

/** Another indexer is at work, in this process or elsewhere: it is worth waiting for it a little. */
export const whileLocked = async <Result>(
  run: (isLast: boolean) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(attempt === LOCKED_TRIES)
    } catch (error) {
      const isLocked = error instanceof QuarryError && error.code === 'INDEX_LOCKED'
      if (!isLocked || attempt === LOCKED_TRIES) throw error
      await pause(LOCKED_PAUSE_MS, undefined, { signal })
    }
  }
}

/** Some clients start their servers anywhere: nobody wants a whole home or disk to be read. */
const isTooWide = (directory: string): boolean =>
  directory === parse(directory).root || directory === homedir()

const tooWide = (directory: string): QuarryError =>
  new QuarryError('BAD_PATH', `The server was started in ${directory}, which is no repository`, {
    hint: 'start it in the repository, or as: quarry mcp --repo DIR',
  })
