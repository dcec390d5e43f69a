/** Joins the parts: settings, store, source, chunker and models become one `Quarry`. */

import { availableParallelism } from 'node:os'
import { workTree } from '../adapters/sources/work-tree/index.js'
import { sqliteStore } from '../adapters/stores/sqlite/index.js'
import { indexDirectory, quarryDirectories } from '../config/directories.js'
import { loadSettings } from '../config/load.js'
import { QuarryError } from '../core/errors.js'
import type { Chunker, IndexReader } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { Warning } from '../core/types.js'
import { runIndex } from '../indexing/run.js'
import type { IndexRequest, OpenOptions, Quarry } from './api.js'
import { diagnose } from './diagnose.js'
import { openEmbedders } from './embedders.js'
import { openModels } from './models.js'
import { openRerankers } from './rerankers.js'
import { resolveRoot } from './root.js'
import { searcher } from './search.js'
import { statusOf } from './status.js'

export const openQuarry = async (options: OpenOptions = {}): Promise<Quarry> => {
  const now = options.now ?? Date.now
  const environment = options.environment ?? process.env
  const root = resolveRoot(options.root ?? process.cwd())
  const directories = quarryDirectories(environment)
  const { settings, origins, warnings } = await loadSettings({
    root,
    directories,
    environment,
    overrides: options.overrides ?? {},
  })
  const directory = indexDirectory(directories.data, root)
  const store = sqliteStore({ directory, root, now })
  const models = openModels(settings, directories.cache)
  const embedders = openEmbedders(settings, models.store)
  const rerankers = openRerankers(settings, models.store)
  const source = workTree({
    root,
    ignore: settings.index.ignore,
    include: settings.index.include,
    maxFileBytes: settings.index.maxFileBytes,
  })

  // Parsers and the reader are opened by the first call that needs them: a search of an unchanged tree parses nothing.
  let chunker: Chunker | undefined
  let reader: IndexReader | undefined
  const openReader = async (): Promise<IndexReader> => {
    const opened = reader ?? (await store.openReader())
    reader = opened
    return opened
  }
  const closeReader = async (): Promise<void> => {
    await reader?.close()
    reader = undefined
  }

  const openChunker = async (): Promise<Chunker> => {
    const { treeSitterChunker } = await import('../adapters/chunkers/tree-sitter/index.js')
    const opened = chunker ?? treeSitterChunker(parserOptions(settings))
    chunker = opened
    return opened
  }

  const index: Quarry['index'] = async (request: IndexRequest = {}) => {
    const { stage = 'full', rebuild = false, onProgress, signal } = request
    if (rebuild) {
      await closeReader()
      await store.purge()
    }
    const parser = await openChunker()
    const before = rebuild ? [] : await skippedBefore()
    const writer = await store.openWriter({ root, chunkerId: parser.id })
    try {
      const missing: Warning[] = []
      const deep = async () => {
        if (stage === 'first') return []
        const found = await models.embedders(embedders, request)
        missing.push(...found.warnings)
        return found.deep
      }
      const parts = { source, chunker: parser, writer, quick: embedders.quick, deep }
      const report = await runIndex(parts, { now, skippedBefore: before, onProgress, signal })
      return { ...report, warnings: [...missing, ...report.warnings] }
    } finally {
      await writer.close()
    }
  }

  const skippedBefore = async () => {
    try {
      return await (await openReader()).skipped()
    } catch (error) {
      if (error instanceof QuarryError && error.code === 'INDEX_MISSING') return []
      throw error
    }
  }

  const { search, similar } = searcher({
    settings,
    source,
    store,
    openReader,
    index,
    embedders,
    rerankers,
    now,
  })

  return {
    root,
    settings,
    origins,
    warnings,
    index,
    search,
    similar,
    models: models.door,
    status: () => statusOf({ root, directory, source, openReader }),
    doctor: ({ deep = false } = {}) => diagnose({ deep, directory, store, settings, models, embedders }),
    async purge() {
      await closeReader()
      await store.purge()
    },
    async close() {
      await closeReader()
      await chunker?.close()
      await embedders.close()
      await rerankers.close()
    },
  }
}

/** One core is left to the thread that tokenises and writes: a further parser only takes memory (bench/results/speed.jsonl). */
const parserOptions = ({ index: { workers, chunkCharacters } }: Settings) => ({
  chunkCharacters,
  workers: workers > 0 ? workers : Math.max(1, Math.min(4, availableParallelism() - 1)),
})
