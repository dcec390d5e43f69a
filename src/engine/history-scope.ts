/** Which commits are taken in. A choice that a run was given outlives it; what the settings say is looked up each time. */

import type { HistoryScope } from '../adapters/git/history-source.js'
import type { Settings } from '../core/settings.js'
import { PART_OF } from '../indexing/part-of.js'

/** How a run names what it took in: the scope, where it was given, and where the branches pointed. */
export const stampOf = (given: HistoryScope | undefined, tips: string): string =>
  JSON.stringify({ ...(given && { scope: given }), tips })

/** The scope that an earlier run was given, if it was. */
export const givenScope = (stamp: string | null): HistoryScope | undefined => {
  try {
    if (stamp === null) return undefined
    const name = stamp.startsWith(PART_OF) ? stamp.slice(PART_OF.length) : stamp
    return (JSON.parse(name) as { scope?: HistoryScope }).scope
  } catch {
    return undefined
  }
}

export const scopeOfSettings = ({ history: { refs, maxCommits } }: Settings): HistoryScope => ({
  refs,
  ...(maxCommits > 0 && { maxCommits }),
})
