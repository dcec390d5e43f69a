/** One run of the index path over one source into one shelf. */

import type { IndexReport, Warning } from '../core/answers.js'
import type { Source } from '../core/ports.js'
import type { PrepareDocument } from '../indexing/prepare.js'
import { runIndex } from '../indexing/run.js'
import type { IndexRequest } from './api.js'
import type { Embedders } from './embedders.js'
import { isLeftOut } from './is-left-out.js'
import type { OpenModels } from './models.js'
import type { Looked } from './refresh.js'
import type { Shelf } from './shelf.js'
import type { ModelsWorth } from './worth-models.js'

export interface TakeInParts {
  readonly root: string
  readonly shelf: Shelf
  readonly embedders: Embedders
  readonly models: OpenModels
  readonly now: () => number
}

export interface TakeInJob {
  readonly source: Source
  readonly chunkerId: string
  readonly prepareDocument: PrepareDocument
  /** Of the models whose vectors fill in behind. */
  readonly worth: ModelsWorth
}

export const takeIn = async (
  { root, shelf, embedders, models, now }: TakeInParts,
  { source, chunkerId, prepareDocument, worth }: TakeInJob,
  request: IndexRequest,
  looked?: Looked,
): Promise<IndexReport> => {
  const { stage = 'full', onProgress, signal } = request
  const skippedBefore = ((await (await shelf.openIfThere())?.skipped()) ?? []).filter(isLeftOut)
  const writer = await shelf.store.openWriter({ root, chunkerId })
  try {
    const missing: Warning[] = []
    // Asked for when the writer is open: another chunker makes it forget what the source was called.
    const reader = await shelf.openReader()
    const deep = async () => {
      if (stage === 'first') return []
      // Asked for when all text is in.
      const found = await models.embedders(embedders, worth(await reader.state()), request)
      missing.push(...found.warnings)
      return found.deep
    }
    const parts = { source, prepareDocument, writer, quick: embedders.quick, deep }
    const stampBefore = await reader.sourceStamp()
    // What another run took in since the look was not there to be seen, and would pass for gone.
    const still = looked?.generation === (await reader.generation()) ? looked : undefined
    const before = { skippedBefore, stampBefore, look: still?.look, known: still?.known }
    const report = await runIndex(parts, { now, ...before, onProgress, signal })
    return { ...report, warnings: [...missing, ...report.warnings] }
  } finally {
    await writer.close()
  }
}
