/** Joins the parts: settings, store, source, chunker and models become one `Quarry`. */

import { rmdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { TreeSitterChunker } from '../adapters/chunkers/tree-sitter/index.js'
import { findRepository } from '../adapters/git/find-repository.js'
import { workTree } from '../adapters/sources/work-tree/index.js'
import { sqliteStore } from '../adapters/stores/sqlite/index.js'
import { indexDirectory, notesDirectory, quarryDirectories } from '../config/directories.js'
import { loadSettings } from '../config/load.js'
import type { IndexReport, IndexState, Warning } from '../core/answers.js'
import type { Source } from '../core/ports.js'
import type { Settings } from '../core/settings.js'
import type { IndexRequest, OpenOptions, Quarry } from './api.js'
import { asker } from './ask.js'
import { checked, checkOpenOptions } from './check-options.js'
import { openEmbedders } from './embedders.js'
import { openExpanders } from './expanders.js'
import { type History, openHistory } from './history.js'
import { openHooks } from './hooks.js'
import { lazily } from './lazily.js'
import { openModels } from './models.js'
import { narrowing } from './narrow.js'
import { openNotes } from './notes/notes.js'
import type { SharedRecall } from './notes/recall.js'
import type { Looked } from './refresh.js'
import { refusePseudoFiles } from './refuse-pseudo-files.js'
import { openRerankers } from './rerankers.js'
import { resolveRoot } from './root.js'
import { type SharedSearch, searcher } from './search.js'
import { type Shelf, shelfOf } from './shelf.js'
import { aboutHunks } from './similar-hunks.js'
import { statusOf } from './status.js'
import {
  type ModelsWorth,
  modelsNeeded,
  shareOf,
  worthOfCode,
  worthOfHistory,
  worthOfNotes,
} from './worth-models.js'

export const openQuarry = async (options: OpenOptions = {}): Promise<Quarry> => {
  checkOpenOptions(options)
  const now = options.now ?? Date.now
  const environment = options.environment ?? process.env
  const root = resolveRoot(options.root ?? process.cwd())
  const directories = quarryDirectories(environment)
  refusePseudoFiles([directories.data, directories.cache])
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
  const expanders = openExpanders({ settings, environment, directories, now })
  const { ignore, include, maxFileBytes } = settings.index
  const isBare = isBareRepository(root)
  const source = isBare ? noFiles : workTree({ root, ignore, include, maxFileBytes, now })

  // Takes effect with the first look at the tree.
  const watched = options.watch ? source.watch?.() : undefined

  const shelf = shelfOf(store)
  const shared = { root, embedders, models, now }
  const history = openHistory({ ...shared, settings, directory, trust: options.trust ?? false })

  const notes = openNotes({
    ...shared,
    directory,
    notesDirectory: notesDirectory(directories.data, root),
  })

  // Parsers are started by the first run that needs them: a search of an unchanged tree parses nothing.
  let chunker: TreeSitterChunker | undefined
  const openChunker = async (): Promise<TreeSitterChunker> => {
    const { treeSitterChunker } = await import('../adapters/chunkers/tree-sitter/index.js')
    const opened = chunker ?? treeSitterChunker(parserOptions(settings))
    chunker = opened
    return opened
  }
  const indexCode = async (request: IndexRequest, looked?: Looked): Promise<IndexReport> => {
    const parser = await openChunker()
    const { prepareWith } = await import('../indexing/prepare.js')
    const { takeIn } = await import('./take-in.js')
    const job = {
      source,
      chunkerId: parser.id,
      prepareDocument: prepareWith(parser),
      worth: worthOfCode(settings),
    }
    const report = await takeIn({ ...shared, shelf }, job, request, looked)
    const unparsed = await Promise.all(parser.takeUnparsed().map(noGrammar))
    return { ...report, warnings: [...unparsed, ...report.warnings] }
  }

  const index: Quarry['index'] = async (request = {}) => {
    // Before anything is thrown away or read.
    if (typeof request.history === 'object') await history.check(request.history)
    if (request.only === 'notes') {
      if (request.rebuild) await notes.shelf.purge()
      return notes.index(request)
    }
    if (request.rebuild) await purge()
    const { indexAll } = await import('./index-all.js')
    return indexAll(request, {
      notes: notes.notebook.isThere() ? notes : null,
      code: part => indexCode(part),
      history: settings.history.enabled && request.history !== false ? history : null,
    })
  }
  const purge = async (): Promise<void> => {
    // Another process may be writing one of them: then nothing may be gone.
    for (const { store: each } of [shelf, history.shelf]) await each.refuseWhileWriting()
    await history.purge()
    await shelf.purge()
    // What is searched of the notes, which can be made again; the notebook is somewhere else and stays.
    await notes.shelf.purge()
  }

  const { search, similar } = searcher({
    ...{ settings, source, embedders, rerankers, expanders, now, isBare },
    openReader: shelf.openReader,
    index: indexCode,
    stirs: () => watched?.stirs() ?? null,
  })
  const openRecall = lazily(async () => {
    const { recaller } = await import('./notes/recall.js')
    return recaller({ settings, notes, embedders, rerankers, expanders, now })
  })
  const openFind = lazily(async () => {
    const { exactSymbols } = await import('./exact-symbols.js')
    const { finder } = await import('./find.js')
    return finder({
      ...{ settings, history, code: shelf, embedders, rerankers, expanders, now },
      exactSymbols: exactSymbols(history.repository, async (file, signal) =>
        (await openChunker()).names(file, signal),
      ),
    })
  })
  const recall: SharedRecall = async (...asked) => (await openRecall())(...asked)
  const find: SharedSearch = async (...asked) => (await openFind())(...asked)

  const narrowed = narrowing(root)

  return checked({
    root,
    settings,
    origins,
    warnings,
    index,
    watch: async request => {
      const { freshKeeper } = await import('./keep-fresh.js')
      return freshKeeper({ source, index, watchBranches: await branchWatch(history) })(request)
    },
    search: narrowed(search, 'code'),
    find: narrowed(find, 'hunk'),
    recall: narrowed(recall),
    notes: notes.door,
    ask: narrowed(
      asker({
        ...{ limit: settings.limit, search, find, recall },
        ...{ hasNotes: notes.notebook.isThere, hasHistory: history.isThere },
      }),
    ),
    explain: async (place, request) => {
      const { explainer } = await import('./explain/explain.js')
      return explainer({ root, settings, history })(place, request)
    },
    similar: narrowed(aboutHunks(similar, history), 'code'),
    models: models.door,
    hooks: openHooks({ root, directory, environment, index }),
    missingModels: async () => {
      const needed = new Set([
        ...(await neededBy(shelf, settings, worthOfCode(settings))),
        ...(await neededBy(history.shelf, settings, worthOfHistory)),
        ...(notes.notebook.isThere() ? settings.embedding.models : []),
      ])
      const here = (await models.door.list()).filter(({ present }) => present).map(({ name }) => name)
      return [...needed].filter(name => !here.includes(name))
    },
    isComplete: async () =>
      (await hasVectors(shelf, settings, worthOfCode(settings))) &&
      (await hasVectors(history.shelf, settings, worthOfHistory)) &&
      (await hasVectors(notes.shelf, settings, worthOfNotes)),
    historyStatus: history.status,
    status: () =>
      statusOf({ root, directory, source, shelf, history, notes, models: models.door, settings, isBare }),
    doctor: async ({ deep = false } = {}) => {
      const { diagnose } = await import('./diagnose.js')
      return diagnose({ deep, directory, shelf, history, notes, settings, models, embedders, expanders })
    },
    purge: async () => {
      await purge()
      history.forgetTrust()
      // An index that was interrupted at its beginning leaves them empty; where there is something in them, they stay.
      for (const part of ['history', 'notes', '']) await rmdir(join(directory, part)).catch(() => {})
    },
    purgeExpansions: expanders.purge,
    async close() {
      watched?.close()
      await shelf.close()
      await history.shelf.close()
      await notes.close()
      await chunker?.close()
      await embedders.close()
      await rerankers.close()
    },
  })
}

/** An index that is not there yet, holds nothing or cannot be read needs none. */
const neededBy = async (shelf: Shelf, settings: Settings, worth: ModelsWorth): Promise<readonly string[]> => {
  const state = await stateOf(shelf)
  return state === null || state.chunks === 0 ? [] : modelsNeeded(settings, worth, state)
}

const hasVectors = async (shelf: Shelf, settings: Settings, worth: ModelsWorth): Promise<boolean> => {
  const vectors = (await stateOf(shelf))?.vectors ?? {}
  return (await neededBy(shelf, settings, worth)).every(model => shareOf(model, vectors) >= 1)
}

/** What is wrong with an index is said by the questions to it. */
const stateOf = async (shelf: Shelf): Promise<IndexState | null> => {
  const reader = await shelf.openIfThere().catch(() => null)
  return reader ? reader.state() : null
}

/** What lies in a bare repository is git's own: there is history, but no code. */
const noFiles: Source = {
  kind: 'code',
  changes: async known => ({ touched: [], gone: [...known.keys()], unchanged: 0, skipped: [] }),
  async *read() {},
}

const isBareRepository = (root: string): boolean => {
  try {
    return findRepository(root)?.kind === 'bare'
  } catch {
    // One that must not be followed: only history has to hear of it.
    return false
  }
}

/** A repository that must not be followed is not watched either. */
const branchWatch = async ({ locate }: History): Promise<(onStir: () => void) => () => void> => {
  const { watchRefs } = await import('../adapters/git/watch-refs.js')
  return onStir => {
    try {
      const found = locate()
      return found ? watchRefs(found, onStir).close : () => {}
    } catch {
      return () => {}
    }
  }
}

const noGrammar = async (language: string): Promise<Warning> => ({
  code: 'GRAMMAR_MISSING',
  message: `The grammar of ${language} cannot be loaded: its files were cut at lines and have no symbols`,
  hint: (await import('./diagnose.js')).GRAMMAR_HINT,
})

/** One core is left to the thread that tokenises and writes: a further parser only takes memory (bench/results/speed.jsonl). */
const parserOptions = ({ index: { workers, chunkCharacters } }: Settings) => ({
  chunkCharacters,
  workers: workers > 0 ? workers : Math.max(1, Math.min(4, availableParallelism() - 1)),
})
