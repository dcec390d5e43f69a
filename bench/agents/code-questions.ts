/** The code-search set as an agent meets it: by `semantic_search`, and by searching for words and reading whole files. */

import { join } from 'node:path'
import type { Place } from '#dist/measuring/sets/shape.js'
import type { Corpus } from '../sets/shape.js'
import { openAsking } from './ask-tool.js'
import type { Counter } from './count-tokens.js'
import { grepOrder, openFiles, type ReadFile } from './grep-and-read.js'
import { type ReadQuestion, scoreReading } from './reading.js'

/** As an agent calls it that says nothing but its question, and as deep as the tool goes: others publish 50 results. */
const CALLS = [
  ...(['compact', 'normal', 'full'] as const).map(detail => ({ detail, limit: 50, max_tokens: 20_000 })),
  { detail: 'normal', limit: 10, max_tokens: 8_000 } as const,
]

export const readCode = async (
  corpus: Corpus,
  scratch: string,
  counters: readonly Counter[],
): Promise<ReadQuestion[]> => {
  const directory = await corpus.prepare(scratch)
  const asking = await openAsking(directory, join(scratch, 'home'))
  const files = openFiles(directory)
  const sizes = new Map<string, readonly number[]>()
  const sizesOf = ({ path, text }: ReadFile): readonly number[] => {
    const known = sizes.get(path) ?? counters.map(({ count }) => count(text))
    sizes.set(path, known)
    return known
  }
  const rows: ReadQuestion[] = []
  for (const { id, text: query, targets } of corpus.queries) {
    const { repository } = corpus
    const held = (place: Place): number[] =>
      targets.flatMap((target, number) => (corpus.matches(place, target) ? [number] : []))
    for (const call of CALLS) {
      const { hits, forms } = await asking.ask('semantic_search', { query, ...call })
      const inHits = hits.map(hit => held(hit as Place))
      for (const { name: form, pieces, whole } of forms)
        for (const { name: tokens, count } of counters) {
          const read = pieces.map((piece, position) => ({ tokens: count(piece), targets: inHits[position]! }))
          rows.push({
            ...{ id, repository, config: { method: 'semantic_search', ...call, form, tokens } },
            scores: { ...scoreReading(read, targets.length), answer: count(whole) },
          })
        }
    }
    const order = grepOrder(files, query)
    for (const [position, { name: tokens }] of counters.entries()) {
      const read = order.map(file => ({
        tokens: sizesOf(file)[position]!,
        targets: held({ path: file.path, startLine: 1, endLine: Number.POSITIVE_INFINITY }),
      }))
      rows.push({
        ...{ id, repository, config: { method: 'words + read file', tokens } },
        scores: scoreReading(read, targets.length),
      })
    }
  }
  await asking.close()
  return rows
}
