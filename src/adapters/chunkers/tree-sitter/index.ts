/**
 * The chunker: code is parsed by tree-sitter in worker threads and cut at its definitions, Markdown at its headings, and
 * everything else, or what cannot be parsed in time, at quiet lines.
 */

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { QuarryError } from '../../../core/errors.js'
import type { Chunker } from '../../../core/ports.js'
import type { Chunk, NamedRange } from '../../../core/types.js'
import { type ChunkPlace, cutText, NO_OUTLINE } from './cut-text.js'
import { LANGUAGES } from './languages/index.js'
import { outlineMarkdown } from './markdown.js'
import { nameRanges } from './name-ranges.js'
import { normaliseLineEnds, sourceText } from './source-text.js'
import { PATIENCE } from './time-limit.js'
import type { WorkerSettings } from './worker-messages.js'
import { type WorkerPool, workerPool } from './worker-pool.js'

export interface TreeSitterOptions {
  /** Threads that parse; started when there is work for them. */
  readonly workers?: number
  readonly chunkCharacters?: number
  readonly parseTimeoutMs?: number
  readonly grammarsDirectory?: string
}

/** Raised whenever the same text would be cut otherwise. */
const REVISION = 2

/** Chunks of 1,200–1,500 characters found more than those of 600 or 3,000, in code search and in issue localisation. */
const CHUNK_CHARACTERS = 1_500

/** Larger texts are data or generated: parsing them costs more than it tells. */
const PARSE_LIMIT_CHARACTERS = 1_000_000

/** A real file of a megabyte takes a second in the slowest grammars; what takes longer is hostile. */
const PARSE_TIMEOUT_MS = 2_000

/** Beyond its own time limit a worker gets this long to answer before it is ended. */
const GRACE_MS = 1_000

const LOAD_TIMEOUT_MS = 15_000

/** Memory of a parser only grows: one giant file must not hold it for the rest of the run. */
const MEMORY_LIMIT_BYTES = 150 * 1024 * 1024

/** What a parse leaves behind dies at once: the usual 48 MB for young objects would only fill up. */
const YOUNG = { maxYoungGenerationSizeMb: 12 }

/** More threads than this wait for the one that writes. */
const MAXIMUM_WORKERS = 4

export interface TreeSitterChunker extends Chunker {
  /** Languages met since the last call whose grammar is missing or damaged: their documents were cut at lines. */
  takeUnparsed(): readonly string[]
  /** The names in a text and the lines they take up, outer ones first; null where it cannot be parsed. */
  names(
    file: { readonly path: string; readonly language: string; readonly text: string },
    signal?: AbortSignal,
  ): Promise<readonly NamedRange[] | null>
}

export const treeSitterChunker = (options: TreeSitterOptions = {}): TreeSitterChunker => {
  const budget = options.chunkCharacters ?? CHUNK_CHARACTERS
  const unparsed = new Set<string>()
  let pool: WorkerPool | undefined
  let closed = false
  return {
    id: `tree-sitter-${REVISION}/${budget}`,
    chunk: async (document, signal) => {
      if (closed) throw new QuarryError('CANCELLED', 'The chunker is closed')
      if (signal?.aborted) throw new QuarryError('CANCELLED', 'Cutting the document was cancelled')
      const { path } = document
      const text = normaliseLineEnds(document.text)
      const language = grammarLanguage(document.language, path, text)
      if (LANGUAGES.has(language) && text.length <= PARSE_LIMIT_CHARACTERS && text.trim() !== '') {
        pool ??= startPool(options, budget)
        const result = await pool.run({ path, language, text, asked: 'chunks' }, signal)
        if (result === 'no-grammar') unparsed.add(language)
        else if (result && 'chunks' in result) return slice(text, result.chunks)
      }
      const source = sourceText(text)
      const outline = language === 'markdown' ? outlineMarkdown(source) : NO_OUTLINE
      return slice(text, cutText(source, outline, path, budget))
    },
    names: async (file, signal) => {
      // Where git counts other lines than we do, a place of the one means nothing to the other.
      if (/\r(?!\n)/.test(file.text)) return null
      const text = normaliseLineEnds(file.text)
      const language = grammarLanguage(file.language, file.path, text)
      if (language === 'markdown') return nameRanges(outlineMarkdown(sourceText(text)).units)
      if (closed || !LANGUAGES.has(language) || text.length > PARSE_LIMIT_CHARACTERS) return null
      pool ??= startPool(options, budget)
      const result = await pool.run({ path: file.path, language, text, asked: 'names' }, signal)
      return typeof result === 'object' && 'names' in result ? result.names : null
    },
    takeUnparsed: () => {
      const languages = [...unparsed].sort()
      unparsed.clear()
      return languages
    },
    close: async () => {
      closed = true
      await pool?.close()
    },
  }
}

/** The languages that cannot be parsed here. Loads every grammar: nothing less shows that it works. */
export const brokenGrammars = async (options: TreeSitterOptions = {}): Promise<readonly string[]> => {
  const pool = startPool({ ...options, workers: 1 }, CHUNK_CHARACTERS)
  try {
    const broken: string[] = []
    for (const language of LANGUAGES.keys()) {
      const result = await pool.run({ path: 'a', language, text: 'a\n', asked: 'names' })
      if (typeof result !== 'object') broken.push(language)
    }
    return broken
  } finally {
    await pool.close()
  }
}

const slice = (text: string, places: readonly ChunkPlace[]): Chunk[] =>
  places.map(({ start, end, ...chunk }) => ({ ...chunk, text: text.slice(start, end) }))

/** A `.h` file may be C++; C++ gives itself away. */
const grammarLanguage = (language: string, path: string, text: string): string =>
  language === 'c' && path.endsWith('.h') && CPP_HEADER.test(text) ? 'cpp' : language

const CPP_HEADER =
  /^[ \t]*(?:class\s+\w|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)|\bstd::\w/m

const startPool = (options: TreeSitterOptions, chunkCharacters: number): WorkerPool => {
  const parseTimeoutMs = options.parseTimeoutMs ?? PARSE_TIMEOUT_MS
  const settings: WorkerSettings = {
    grammarsDirectory:
      options.grammarsDirectory ?? fileURLToPath(new URL('../../../../assets/grammars/', import.meta.url)),
    chunkCharacters,
    parseTimeoutMs,
  }
  return workerPool({
    size: Math.max(1, options.workers ?? Math.min(MAXIMUM_WORKERS, availableParallelism())),
    start: () => {
      // Flags of this process (loaders, inspectors) are not meant for the workers, nor is its output for their talk.
      const quiet = { workerData: settings, execArgv: [], stdout: true, stderr: true, resourceLimits: YOUNG }
      const worker = new Worker(new URL('./worker.js', import.meta.url), quiet)
      worker.unref()
      return worker
    },
    jobTimeoutMs: PATIENCE * parseTimeoutMs + GRACE_MS,
    loadTimeoutMs: LOAD_TIMEOUT_MS,
    memoryLimit: MEMORY_LIMIT_BYTES,
  })
}
