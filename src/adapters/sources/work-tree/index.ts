/** The work tree as a source of code: what changed since the last run, and the text of each file that is worth having. */

import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { KnownDocument, Source, SourceChanges } from '../../../core/ports.js'
import type { Skipped, SourceDocument } from '../../../core/types.js'
import { languageOf } from '../../../text/language.js'
import { breather } from './breather.js'
import { decode } from './decode.js'
import type { Refusal } from './read-bytes.js'
import { readSettled } from './read-settled.js'
import { prefixOf, realRoot } from './root.js'
import { CONTENT_RULES_VERSION, skipByContent } from './skip-by-content.js'
import { isUnsettled, stampOf, unsettled } from './stamp.js'
import { sharedStatuses, statuses } from './statuses.js'
import { type Visitor, walk } from './walk.js'
import { wantedBy } from './wanted.js'

export interface WorkTreeOptions {
  readonly root: string
  /** Patterns as in a `.gitignore` at the root; stronger than every ignore file. */
  readonly ignore?: readonly string[]
  /** Patterns of files to take although they are vendored, generated, minified or of an unwanted kind. */
  readonly include?: readonly string[]
  readonly maxFileBytes?: number
  readonly hash?: (bytes: Uint8Array) => string
  readonly now?: () => number
}

const LARGEST_FILE = 1_048_576
/** From here on a second thread saves more than the 30 ms it needs to start: a third of the time at 35,000 files. */
const LARGE_TREE = 10_000

export const workTree = (options: WorkTreeOptions): Source => {
  const { ignore = [], include = [], maxFileBytes = LARGEST_FILE, hash = shortHash, now = Date.now } = options
  const wanted = wantedBy(include)
  // A skip for the content holds while both the file and the rules stay as they were.
  const rulesId = shortHash(JSON.stringify([CONTENT_RULES_VERSION, include])).slice(0, 8)
  const skipStamp = (stamp: string): string => `${stamp} ${rulesId}`
  const expectedStamp = ({ stamp, contentHash }: KnownDocument): string => {
    if (contentHash !== '') return stamp
    return stamp.endsWith(` ${rulesId}`) ? stamp.slice(0, -rulesId.length - 1) : ''
  }

  const changes = async (
    known: ReadonlyMap<string, KnownDocument>,
    signal?: AbortSignal,
  ): Promise<SourceChanges> => {
    const root = realRoot(options.root)
    const breathe = breather(signal)
    const present: string[] = []
    const touched: string[] = []
    const refused = new Set<string>()
    const skipped: Skipped[] = []
    const blind: string[] = []
    let files = 0
    const skip = (path: string, refusal: Refusal): void => {
      skipped.push({ path, ...refusal })
    }
    const differs = (path: string, status: string | Refusal): void => {
      if (typeof status === 'string') touched.push(path)
      else {
        refused.add(path)
        skip(path, status)
      }
    }
    const isLarge = known.size >= LARGE_TREE && availableParallelism() > 1
    const collect = isLarge ? sharedStatuses : statuses
    const statusesOf = collect(prefixOf(root), BigInt(maxFileBytes), differs, breathe)
    const visitor: Visitor = {
      file: path => {
        const before = known.get(path)
        if (before) present.push(path)
        files++
        statusesOf.add(path, before ? expectedStamp(before) : '')
      },
      skip,
      blind: path => blind.push(path === '' ? '' : `${path}/`),
    }
    try {
      await walk(root, ignore, wanted, visitor, breathe)
      await statusesOf.finish()
    } finally {
      statusesOf.close()
    }
    return {
      touched: touched.sort(),
      gone: missing(known, present, refused, blind),
      unchanged: files - touched.length - refused.size,
      skipped: skipped.sort(byPath),
    }
  }

  async function* read(
    paths: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<SourceDocument | Skipped> {
    const prefix = prefixOf(realRoot(options.root))
    const breathe = breather(signal)
    for (const path of paths) {
      if (breathe.isDue()) await breathe.now()
      const result = await readSettled(prefix + path, maxFileBytes, now, breathe)
      if ('reason' in result) {
        yield { path, ...result }
        continue
      }
      const { bytes, status } = result
      const plain = stampOf(status)
      const stamp = isUnsettled(status, now()) ? unsettled(plain) : plain
      const text = decode(bytes)
      const refusal = typeof text === 'string' ? skipByContent(path, text, isWanted(path)) : text
      if (refusal || typeof text !== 'string')
        yield { path, ...(refusal as Refusal), stamp: skipStamp(stamp) }
      else
        yield {
          kind: 'code',
          path,
          language: languageOf(path, firstLine(text)),
          text,
          contentHash: hash(bytes),
          stamp,
          time: Number(status.mtimeNs / 1_000_000n),
        }
    }
  }

  const isWanted = (path: string): boolean => {
    const slash = path.lastIndexOf('/')
    return wanted.inDirectory(path.slice(0, Math.max(slash, 0)))?.(path.slice(slash + 1), false) === true
  }

  return { kind: 'code', changes, read }
}

/** Known documents that the walk did not meet, or met as something else, except where it could not look. */
const missing = (
  known: ReadonlyMap<string, KnownDocument>,
  present: readonly string[],
  refused: ReadonlySet<string>,
  blind: readonly string[],
): string[] => {
  if (present.length === known.size && refused.size === 0) return []
  const met = new Set(present)
  const isGone = (path: string): boolean =>
    refused.has(path) || (!met.has(path) && !blind.some(prefix => path.startsWith(prefix)))
  return [...known.keys()].filter(isGone).sort()
}

const byPath = (one: Skipped, other: Skipped): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0

/** Half of a SHA-256: nobody gains by making two of their own files collide, and chance will not. */
const shortHash = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)

const firstLine = (text: string): string => /^[^\r\n]{0,200}/.exec(text)![0]
