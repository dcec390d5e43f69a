/** The recorded rewrites: what a language model made of questions of the sets, each strategy apart. */

import { basename, dirname } from 'node:path'
import { z } from 'zod'
import { dataReader } from '../sets/read-data.js'

const row = z.object({
  set: z.string().default(''),
  id: z.string().default(''),
  query: z.string(),
  paraphrase: z.string().default(''),
  entity: z.string().default(''),
  stepback: z.string().default(''),
  decompose: z.array(z.string()).default([]),
})

export interface Recorded {
  readonly set: string
  readonly id: string
  readonly question: string
  /** By the name of the strategy. */
  readonly rewrites: Readonly<Record<string, readonly string[]>>
}

export const readRecorded = async (
  file: string,
): Promise<{ readonly hash: string; readonly rows: readonly Recorded[] }> => {
  const reader = dataReader(dirname(file))
  const rows = await reader.jsonLines(basename(file), row)
  return {
    hash: reader.hash(),
    rows: rows.map(({ set, id, query, paraphrase, entity, stepback, decompose }) => ({
      set,
      id,
      question: query,
      rewrites: {
        paraphrase: given(paraphrase),
        entity: given(entity),
        'step-back': given(stepback),
        decompose,
      },
    })),
  }
}

const given = (text: string): readonly string[] => (text === '' ? [] : [text])
