/** Which hunk of a commit to show: the one that says most of what was asked, in the sort of file that was meant. */

import type { StoredChunk, WeighedTerm } from '../core/types.js'
import { isChangelogPath, isDocumentationPath, isTestPath } from '../text/file-role.js'
import { tokenise } from '../text/tokenise.js'

export interface ChosenHunk {
  readonly hunk: StoredChunk
  readonly why: string
}

/** Enough to tell hunks apart; a longer one is judged by its beginning. */
const CHARACTERS_READ = 4_000
const TERMS_READ = 32

/** Null for a commit without hunks. Ties go to the first. */
export const chooseHunk = (
  hunks: readonly StoredChunk[],
  terms: readonly WeighedTerm[],
): ChosenHunk | null => {
  const asked = new Map(
    terms.slice(0, TERMS_READ).map(({ token, weight, rarity }) => [token, weight * rarity]),
  )
  const total = [...asked.values()].reduce((sum, weight) => sum + weight, 0) || 1
  let best: { hunk: StoredChunk; score: number; said: number } | null = null
  for (const hunk of hunks) {
    const said = shareSaid(hunk, asked) / total
    const score = (said + 0.1) * roleWeight(hunk.path)
    if (best === null || score > best.score) best = { hunk, score, said }
  }
  if (best === null) return null
  const { hunk, said } = best
  return { hunk, why: `best of ${hunks.length}: says ${Math.round(100 * said)} % of what was asked` }
}

/** The change itself is what explains; its test and its line in the changelog only speak of it. */
const roleWeight = (path: string): number => {
  if (isChangelogPath(path)) return 0.1
  if (isTestPath(path)) return 0.3
  return isDocumentationPath(path) ? 0.3 : 1
}

const shareSaid = ({ path, header, text }: StoredChunk, asked: ReadonlyMap<string, number>): number => {
  const said = new Set(tokenise(`${path}\n${header}\n${text.slice(0, CHARACTERS_READ)}`))
  let total = 0
  for (const [token, weight] of asked) if (said.has(token)) total += weight
  return total
}
