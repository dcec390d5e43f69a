/** Multi-query: further wordings of the question, each of which goes through every lane. Opt-in; else the identity. */

import type { Expander, IndexReader } from '../core/ports.js'
import type { Warning } from '../core/types.js'
import type { Plan } from './plan.js'
import { weighTerms } from './understand.js'

export interface Expanded {
  readonly plan: Plan
  readonly warnings: readonly Warning[]
}

export const expand = async (
  plan: Plan,
  expander: Expander | null,
  index: IndexReader,
  signal?: AbortSignal,
): Promise<Expanded> => {
  const { enabled, variations: count } = plan.settings.multiQuery
  if (!enabled || expander === null) return { plan, warnings: [] }
  try {
    const rewrites = await expander.expand(plan.question, count, signal)
    const variations = await Promise.all(
      rewrites.map(async rewrite => ({ terms: await weighTerms(rewrite, index), passages: [rewrite] })),
    )
    return { plan: { ...plan, variations: [...plan.variations, ...variations] }, warnings: [] }
  } catch (error) {
    if (signal?.aborted) throw error
    const message = `Searched with the question alone: ${error instanceof Error ? error.message : String(error)}`
    return { plan, warnings: [{ code: 'EXPANSION_FAILED', message, hint: 'quarry doctor' }] }
  }
}
