/** The thread that parses. It takes one document at a time and answers with the places of its chunks. */

import { parentPort, workerData } from 'node:worker_threads'
import { cutText } from './cut-text.js'
import { type GrammarParser, grammarParser } from './grammar.js'
import { LANGUAGES } from './languages/index.js'
import { outlineTree } from './outline-tree.js'
import { sourceText } from './source-text.js'
import type { ParseJob, WorkerReply, WorkerSettings } from './worker-messages.js'

const { grammarsDirectory, chunkCharacters, parseTimeoutMs } = workerData as WorkerSettings

let parser: Promise<GrammarParser> | undefined

const places = async ({ path, language, text }: ParseJob) => {
  const table = LANGUAGES.get(language)
  if (!table) return undefined
  parser ??= grammarParser(grammarsDirectory)
  const { load, parse } = await parser
  const grammar = await load(table.grammar)
  reply({ type: 'loaded' })
  const tree = grammar && parse(grammar, text, parseTimeoutMs)
  if (!tree) return undefined
  try {
    const source = sourceText(text)
    return cutText(source, outlineTree(tree.rootNode, table, source, chunkCharacters), path, chunkCharacters)
  } finally {
    tree.delete()
  }
}

const reply = (message: WorkerReply): void => parentPort?.postMessage(message)

// An error is not caught: the parser's memory may be in any state then, so the thread ends and the pool starts another.
parentPort?.on('message', async (job: ParseJob) => {
  const found = await places(job)
  reply({ type: 'done', places: found, memory: (await parser)?.memory() ?? 0 })
})
