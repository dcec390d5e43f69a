/** The work tree as a source of code: what changed since the last run, and the text of each file that is worth having. */

import { createHash } from 'node:crypto'
import type { KnownDocument, Source, SourceLook, SourceWatch } from '../../../core/ports.js'
import type { Skipped, SourceDocument } from '../../../core/types.js'
import { languageOf } from '../../../text/language.js'
import { breather } from './breather.js'
import { decode } from './decode.js'
import { lookAt } from './look.js'
import type { Refusal } from './read-bytes.js'
import { readSettled } from './read-settled.js'
import { prefixOf, realRoot } from './root.js'
import { CONTENT_RULES_VERSION, skipByContent } from './skip-by-content.js'
import { isUnsettled, stampOf, unsettled } from './stamp.js'
import { wantedBy } from './wanted.js'
import { type TreeWatch, watchTree } from './watch-tree.js'

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

  let watching: TreeWatch | undefined

  const look = async (signal?: AbortSignal): Promise<SourceLook> => {
    const root = realRoot(options.root)
    const watch = watching
    const walk = watch?.begin() ?? 0
    const found = await lookAt(
      { root, ignore, wanted, maxFileBytes, rulesId, expectedStamp, watch },
      breather(signal),
    )
    watch?.end(walk)
    return found
  }
  const changes: Source['changes'] = async (known, signal) => (await look(signal)).changes(known)

  async function* read(
    paths: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<SourceDocument | Skipped> {
    const prefix = prefixOf(realRoot(options.root))
    const breathe = breather(signal)
    for (const path of paths) {
      if (breathe.isDue()) await breathe.now()
      watching?.stamps.forgetStamp(path)
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

  const watch = (): SourceWatch => {
    watching?.close()
    watching = watchTree(realRoot(options.root), { now })
    return watching
  }

  return { kind: 'code', changes, look, read, watch }
}

/** Half of a SHA-256: nobody gains by making two of their own files collide, and chance will not. */
const shortHash = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)

const firstLine = (text: string): string => /^[^\r\n]{0,200}/.exec(text)![0]
