/** The thread that parses. It takes one document at a time and answers with the places of its chunks, or of its names. */

import { parentPort, workerData } from 'node:worker_threads'
import { compileOnce } from './compile-once.js'
import { cutText } from './cut-text.js'
import { type GrammarParser, grammarParser } from './grammar.js'
import { LANGUAGES } from './languages/index.js'
import { nameRanges } from './name-ranges.js'
import { outlineTree } from './outline-tree.js'
import { sourceText } from './source-text.js'
import type { ParseJob, ParseResult, WorkerReply, WorkerSettings } from './worker-messages.js'

const { grammarsDirectory, chunkCharacters, parseTimeoutMs } = workerData as WorkerSettings

compileOnce()

let parser: Promise<GrammarParser | undefined> | undefined

/** Undefined when the parser itself, which all grammars need, cannot be loaded. */
const openParser = (): Promise<GrammarParser | undefined> =>
  grammarParser(grammarsDirectory).catch(() => undefined)

const parseJob = async ({ path, language, text, asked }: ParseJob): Promise<ParseResult> => {
  const table = LANGUAGES.get(language)
  if (!table) return undefined
  parser ??= openParser()
  const opened = await parser
  const grammar = await opened?.load(table.grammar)
  reply({ type: 'loaded' })
  if (!opened || !grammar) return 'no-grammar'
  const tree = opened.parse(grammar, text, parseTimeoutMs)
  if (!tree) return undefined
  try {
    const source = sourceText(text)
    const outline = outlineTree(tree.rootNode, table, source, chunkCharacters)
    return asked === 'names'
      ? { names: nameRanges(outline.units) }
      : { chunks: cutText(source, outline, path, chunkCharacters) }
  } finally {
    tree.delete()
  }
}

const reply = (message: WorkerReply): void => parentPort?.postMessage(message)

// An error is not caught: the parser's memory may be in any state then, so the thread ends and the pool starts another.
parentPort?.on('message', async (job: ParseJob) => {
  const result = await parseJob(job)
  reply({ type: 'done', result, memory: (await parser)?.memory() ?? 0 })
})
