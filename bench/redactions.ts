/**
 * `npm run bench -- redactions`: how often text of real projects is taken for a secret. Every redaction counts as false, which is
 * an upper bound: a project may hold a real key. Reads the tree that `npm run bench -- speed` made, one copy of each project.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { treeSitterChunker } from '#dist/adapters/chunkers/tree-sitter/index.js'
import { workTree } from '#dist/adapters/sources/work-tree/index.js'
import { redact } from '#dist/text/redact.js'
import { recordResult } from './report/result-line.js'

const MARK = /\[REDACTED:[\w-]+\]/g

export const measureRedactions = async (scratch: string): Promise<void> => {
  const root = join(scratch, 'speed-35000/copy0')
  if (!existsSync(root)) throw new Error('there is no tree to read: npm run bench -- speed makes it')
  const source = workTree({ root })
  const { touched } = await source.changes(new Map())
  const chunker = treeSitterChunker({ chunkCharacters: 1_500, workers: 1 })
  const found = new Map<string, number>()
  let [chunks, files] = [0, 0]
  for await (const document of source.read(touched)) {
    if (!('text' in document)) continue
    files++
    for (const { text } of await chunker.chunk(document)) {
      chunks++
      for (const [mark] of redact(text).matchAll(MARK)) {
        if (!text.includes(mark)) found.set(mark, (found.get(mark) ?? 0) + 1)
      }
    }
  }
  await chunker.close()
  const redactions = [...found.values()].reduce((sum, count) => sum + count, 0)
  console.log(Object.fromEntries(found))
  const metrics = { files, chunks, redactions, per10kChunks: (10_000 * redactions) / chunks }
  console.log(JSON.stringify(metrics))
  await recordResult({
    name: 'redactions',
    dataHash: 'code-search',
    config: { what: 'redactions in real projects, all counted as false' },
    metrics,
    n: chunks,
  })
}
