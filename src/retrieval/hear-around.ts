/**
 * Of notes: listens to the turns beside each candidate. A turn is hardly understood alone: the answer stands behind its question,
 * and "yes, last week" says nothing of what it is about. Everything else passes unchanged.
 */

import type { Embedder, IndexReader } from '../core/ports.js'
import type { Candidate, HeardTurn } from '../core/questions.js'
import type { ChunkBeside } from '../core/types.js'
import { wordsOf } from '../text/turns.js'
import { measure } from './gather.js'
import { likenessTo } from './like-words.js'
import type { Plan } from './plan.js'
import type { LaneResults } from './run-lanes.js'

/** An answer may come two turns after what it is about. */
const BEFORE = 2
const AFTER = 1

export const hearAround = async (
  candidates: readonly Candidate[],
  results: LaneResults,
  plan: Plan,
  index: IndexReader,
  words: Embedder | undefined,
): Promise<readonly Candidate[]> => {
  if (plan.source !== 'note' || candidates.length === 0) return candidates
  const chunks = await index.chunksAround(
    candidates.map(({ chunk }) => chunk.id),
    BEFORE,
    AFTER,
  )
  // The candidates themselves were measured when they were gathered.
  const signals = new Map(candidates.map(({ chunk, signals }) => [chunk.id, signals]))
  const others = chunks.map(({ id }) => id).filter(id => !signals.has(id))
  for (const [id, measured] of await measure(others, results, index)) signals.set(id, measured)
  const texts = chunks.map(chunk => wordsOf(speakerOf(chunk), chunk.text))
  const likeness = await likenessTo(plan.contentWords, texts, words)
  // By document and place, not by a name made of both: hundreds of such names would be made for every question.
  const heard = new Map<string, Map<number, HeardTurn>>()
  for (const [position, { id, document, ordinal }] of chunks.entries()) {
    const turn = { text: texts[position]!, signals: signals.get(id)!, likeness: likeness[position]! }
    const beside = heard.get(document)
    if (beside === undefined) heard.set(document, new Map([[ordinal, turn]]))
    else beside.set(ordinal, turn)
  }
  return candidates.flatMap(candidate => {
    const { document, ordinal } = candidate.chunk
    const turns = heard.get(document)
    const at = (place: number) => turns?.get(place) ?? null
    const own = at(ordinal)
    if (own === null) return []
    const [before, after] = [at(ordinal - 1), at(ordinal + 1)]
    return [{ ...candidate, surroundings: { own, before, after, earlier: at(ordinal - 2) } }]
  })
}

const speakerOf = ({ symbols }: ChunkBeside): string =>
  symbols.find(({ kind }) => kind === 'speaker')?.name ?? ''
