/** The whole index path: what changed is read, cut, prepared and committed, batch by batch; vectors fill in behind. */

import type { IndexReport, Progress, Warning } from '../core/answers.js'
import type {
  Embedder,
  IndexWriter,
  KnownDocument,
  Source,
  SourceChanges,
  SourceLook,
} from '../core/ports.js'
import type { PreparedDocument, Skipped, SourceDocument } from '../core/types.js'
import { embedPending, embedQuickly } from './embed.js'
import { inBatches, inOrder } from './flow.js'
import { meter } from './meter.js'
import { PART_OF } from './part-of.js'
import {
  isPrepared,
  isUnchanged,
  type Outcome,
  type PrepareDocument,
  prepare,
  type Unchanged,
} from './prepare.js'
import { withSkipped } from './with-skipped.js'

export interface IndexParts {
  readonly source: Source
  readonly prepareDocument: PrepareDocument
  readonly writer: IndexWriter
  /** Quick enough to come along with the text; null leaves the vector lane to the slower one. */
  readonly quick: Embedder | null
  /** Fill in behind, one after the other. Asked for when the text is in: fetching a model must not delay the first answer. */
  readonly deep: () => Promise<readonly Embedder[]>
}

export interface IndexOptions {
  readonly now: () => number
  /** What the last run left out: a file skipped for its content is not read again while its stamp is the same. */
  readonly skippedBefore: readonly Skipped[]
  /** What the source was called when the last complete run took it in. */
  readonly stampBefore?: string | null
  /** Where somebody has just looked, and compared with what the index knows: with `skippedBefore` in it. */
  readonly look?: SourceLook | undefined
  readonly known?: ReadonlyMap<string, KnownDocument> | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Documents between reading and committing: enough that those who cut have something to do while a batch is written, and not so
 * much text that memory grows.
 */
const IN_FLIGHT = {
  items: 256,
  weight: 8_000_000,
  weigh: (item: SourceDocument | Skipped) => ('text' in item ? item.text.length : 0),
}
/** A commit costs a millisecond or two whatever its size; a crash loses at most one batch of rebuildable text. */
const CHUNKS_IN_A_BATCH = 400

export const runIndex = async (parts: IndexParts, options: IndexOptions): Promise<IndexReport> => {
  const { source, prepareDocument, writer, quick, deep } = parts
  const { now, onProgress, signal } = options
  const started = now()
  const look = options.look ?? (await source.look?.(signal))
  const stamp = look?.stamp ?? (await source.stamp?.())
  const isSame = stamp !== undefined && stamp === options.stampBefore
  // A look that was the same has seen all of it: what the index knows need not even be read.
  const documents = async () => (look && isSame ? new Map() : await writer.known(source.kind))
  const known = options.known ?? withSkipped(await documents(), options.skippedBefore)
  const remembered = options.skippedBefore.filter(
    ({ path, stamp }) => stamp !== undefined && !known.get(path)?.contentHash,
  )
  const changes = isSame
    ? unchanged(look ? look.documents : known.size, look ? options.skippedBefore : remembered)
    : (look?.changes(known) ?? (await source.changes(known, signal)))
  const moved = new Set([...changes.touched, ...changes.gone])
  const stillSkipped = isSame ? [] : remembered.filter(({ path }) => !moved.has(path))
  const skipped: Skipped[] = [...changes.skipped, ...stillSkipped]
  const tally = { added: 0, changed: 0, unchanged: changes.unchanged, chunks: 0 }
  const warnings: Warning[] = []
  // Whether the index will hold what the stamp names.
  let isWhole = true
  const progress = meter(STAGES[source.kind], changes.touched.length, now, onProgress)
  // Killed in between, the next run still knows what this one was told to take in.
  if (stamp !== undefined && !isSame) await writer.begin(`${PART_OF}${stamp}`)
  await writer.remove(source.kind, changes.gone)

  const outcomes = inOrder(source.read(changes.touched, signal), IN_FLIGHT, item =>
    prepare(item, known, prepareDocument, signal),
  )
  for await (const batch of inBatches(outcomes, chunksIn, CHUNKS_IN_A_BATCH)) {
    const documents = batch.filter(isPrepared)
    const same = batch.filter(isUnchanged)
    const leftOut = batch.filter((item): item is Skipped => 'reason' in item)
    await writer.commit(documents, await embedQuickly(documents, quick, warnings, signal))
    await writer.restamp(source.kind, new Map(same.map(({ path, stamp }) => [path, stamp])))
    // A file that was indexed and is now binary, unreadable or gone must not answer with its old text.
    await writer.remove(
      source.kind,
      leftOut.map(({ path }) => path).filter(path => known.get(path)?.contentHash),
    )
    skipped.push(...leftOut)
    if (look) isWhole &&= [...documents.map(({ document }) => document), ...same, ...leftOut].every(look.isOf)
    tally.unchanged += same.length
    for (const { document, chunks } of documents) {
      tally[known.get(document.path)?.contentHash ? 'changed' : 'added']++
      tally.chunks += chunks.length
    }
    progress.add(batch.length)
  }
  if (!isSame) {
    await writer.recordSkipped(source.kind, skipped)
    // What could not be read is tried again: then the source must not pass for one that is known.
    isWhole &&= stamp === undefined || !skipped.some(isToBeTriedAgain)
    await writer.finish(now(), isWhole ? stamp : `${PART_OF}${stamp}`)
  } else if (look) await writer.finish(now(), stamp)
  const embedding = await embedPending(writer, await deep(), { now, onProgress, signal, warnings })
  return {
    ...tally,
    ...embedding,
    removed: changes.gone.filter(path => known.get(path)?.contentHash).length,
    skipped: countReasons(skipped),
    warnings,
    seconds: (now() - started) / 1000,
  }
}

const STAGES = { code: 'chunk', hunk: 'history', note: 'notes' } as const

const unchanged = (count: number, skipped: readonly Skipped[]): SourceChanges => ({
  touched: [],
  gone: [],
  unchanged: count,
  skipped,
})

const isToBeTriedAgain = ({ reason }: Skipped): boolean => reason === 'missing-object'

/** Documents without chunks still count for something, or a million empty files would be one batch. */
const chunksIn = (item: PreparedDocument | Unchanged | Skipped): number =>
  1 + (isPrepared(item) ? item.chunks.length : 0)

const countReasons = (skipped: readonly Skipped[]): IndexReport['skipped'] => {
  const counts: Partial<Record<Skipped['reason'], number>> = {}
  for (const { reason } of skipped) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

export type { Outcome }
