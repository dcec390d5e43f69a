/** The recorded rewrites: what a language model made of questions of the sets, each strategy apart. */

import { join } from 'node:path'
import { z } from 'zod'
import type { Places } from '../sets/places.js'
import { dataReader } from '../sets/read-data.js'

const row = z.object({
  set: z.string(),
  id: z.string(),
  query: z.string(),
  paraphrase: z.string(),
  entity: z.string(),
  stepback: z.string(),
  decompose: z.array(z.string()),
})

export interface Recorded {
  readonly set: string
  readonly id: string
  readonly question: string
  /** By the name of the strategy. */
  readonly rewrites: Readonly<Record<string, readonly string[]>>
}

export const readRecorded = async (
  places: Places,
): Promise<{ readonly hash: string; readonly rows: readonly Recorded[] }> => {
  const reader = dataReader(join(places.data))
  const rows = await reader.jsonLines('expansions.jsonl', row)
  return {
    hash: reader.hash(),
    rows: rows.map(({ set, id, query, paraphrase, entity, stepback, decompose }) => ({
      set,
      id,
      question: query,
      rewrites: { paraphrase: [paraphrase], entity: [entity], 'step-back': [stepback], decompose },
    })),
  }
}
