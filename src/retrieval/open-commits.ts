/**
 * From commits to hunks: commits are ranked whole, because the message, the test and the change speak for each other, and then
 * each is shown by its best hunk. Everything but history passes unchanged.
 */

import type { IndexReader } from '../core/ports.js'
import type { Candidate } from '../core/questions.js'
import type { StoredChunk } from '../core/types.js'
import { chooseHunk } from '../ranking/choose-hunk.js'
import { compileGlobs } from '../text/glob.js'
import type { Plan } from './plan.js'

/** Beyond the limit: what the cap drops must be refilled, and a reranker wants something to choose from. */
const SPARE = 5

/** What the last stages make of candidates that nobody reads again: their order, and which of them are shown. */
export interface LastStages {
  readonly order: (candidates: readonly Candidate[]) => readonly Candidate[]
  readonly show: (candidates: readonly Candidate[]) => readonly Candidate[]
}

export const openCommits = async (
  candidates: readonly Candidate[],
  plan: Plan,
  index: IndexReader,
  mostRead: number,
  { order, show }: LastStages,
): Promise<readonly Candidate[]> => {
  if (plan.source !== 'hunk') return candidates
  const pool = candidates.slice(0, Math.max(mostRead, 2 * plan.limit + SPARE))
  const isShown = placeFilter(plan)
  const open = async (candidate: Candidate): Promise<Candidate> => {
    const [, ...hunks] = await index.chunksOf(candidate.chunk.document)
    const chosen = chooseHunk(hunks.filter(isShown), plan.terms, plan.lines)
    if (chosen === null) return candidate
    const { score } = candidate
    const line = { stage: 'hunk', score, why: chosen.why }
    return { ...candidate, chunk: chosen.hunk, ledger: [...candidate.ledger, line] }
  }
  if (mostRead > 0) return Promise.all(pool.map(open))
  // Opening is dear and the order is known: only as many are opened as the answer shows, and the others fall away.
  const places = new Map(pool.map(({ chunk: { id } }, place) => [id, place]))
  const waiting = order(pool).map(({ chunk: { id } }) => places.get(id)!)
  const opened: Candidate[] = []
  const inOrder: Candidate[] = []
  for (
    let missing = plan.limit;
    missing > 0 && waiting.length > 0;
    missing = plan.limit - show(inOrder).length
  )
    for (const place of waiting.splice(0, missing)) {
      const candidate = await open(pool[place]!)
      inOrder.push(candidate)
      opened[place] = candidate
    }
  return opened.filter(candidate => candidate !== undefined)
}

/** A commit passes the filter when any of its files does: then that file is to be shown. */
const placeFilter = ({ filter: { paths = [], languages = [] } }: Plan) => {
  const allows = compileGlobs(paths)
  return ({ path, language, file }: StoredChunk): boolean =>
    (allows(path) || (file?.oldPath !== undefined && allows(file.oldPath))) &&
    (languages.length === 0 || languages.includes(language))
}
