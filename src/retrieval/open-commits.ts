/**
 * From commits to hunks: commits are ranked whole, because the message, the test and the change speak for each other, and then
 * each is shown by its best hunk. Everything but history passes unchanged.
 */

import type { IndexReader } from '../core/ports.js'
import type { Candidate, StoredChunk } from '../core/types.js'
import { chooseHunk } from '../ranking/choose-hunk.js'
import { compileGlobs } from '../text/glob.js'
import type { Plan } from './plan.js'

/** Beyond the limit: what the cap drops must be refilled, and a reranker wants something to choose from. */
const SPARE = 5

export const openCommits = async (
  candidates: readonly Candidate[],
  plan: Plan,
  index: IndexReader,
  mostRead: number,
): Promise<readonly Candidate[]> => {
  if (plan.source !== 'hunk') return candidates
  const wanted = Math.max(mostRead, 2 * plan.limit + SPARE)
  const isShown = placeFilter(plan)
  return Promise.all(
    candidates.slice(0, wanted).map(async candidate => {
      const [, ...hunks] = await index.chunksOf(candidate.chunk.document)
      const chosen = chooseHunk(hunks.filter(isShown), plan.terms, plan.lines)
      if (chosen === null) return candidate
      const { score } = candidate
      const line = { stage: 'hunk', score, why: chosen.why }
      return { ...candidate, chunk: chosen.hunk, ledger: [...candidate.ledger, line] }
    }),
  )
}

/** A commit passes the filter when any of its files does: then that file is to be shown. */
const placeFilter = ({ filter: { paths = [], languages = [] } }: Plan) => {
  const allows = compileGlobs(paths)
  return ({ path, language, file }: StoredChunk): boolean =>
    (allows(path) || (file?.oldPath !== undefined && allows(file.oldPath))) &&
    (languages.length === 0 || languages.includes(language))
}
