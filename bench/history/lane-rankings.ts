/** Each lane of the query path alone, and the textbook: BM25 over the whole commit as one text. */

import { join } from 'node:path'
import { sqliteStore } from '#dist/adapters/stores/sqlite/index.js'
import { indexDirectory, quarryDirectories } from '#dist/config/directories.js'
import { profiles } from '#dist/config/profiles.js'
import type { TextScoring } from '#dist/core/ports.js'
import { FIELD_NAMES, type FieldName } from '#dist/core/types.js'
import { openEmbedders } from '#dist/engine/embedders.js'
import { openModels } from '#dist/engine/models.js'
import { worthOfHistory } from '#dist/engine/worth-models.js'
import { runLanes } from '#dist/retrieval/run-lanes.js'
import { understand } from '#dist/retrieval/understand.js'
import { tokenise } from '#dist/text/tokenise.js'
import type { CommitCorpus, CommitQuestion } from './commits-set.js'

export interface LaneRow {
  readonly variant: string
  readonly question: CommitQuestion
  readonly found: readonly { readonly commit: string; readonly path: string }[]
}

/** All fields alike, with the constants of the textbook. */
const TEXTBOOK: TextScoring = {
  weights: { body: 1, header: 1, path: 1, symbols: 1, tests: 1, removed: 1 },
  k1: 1.2,
  lengthCorrection: Object.fromEntries(FIELD_NAMES.map(field => [field, 0.75])) as Record<FieldName, number>,
}

export const laneRankings = async (
  { directory, questions }: CommitCorpus,
  home: string,
  deep: number,
): Promise<LaneRow[]> => {
  const directories = quarryDirectories({ QUARRY_HOME: home })
  const store = sqliteStore({
    directory: join(indexDirectory(directories.data, directory), 'history'),
    root: directory,
  })
  const index = await store.openReader()
  const embedders = openEmbedders(profiles.best, openModels(profiles.best, directories.cache).store)
  const { embedders: usable } = await embedders.forQuestions(index, worthOfHistory)
  const shasOf = async (ids: readonly number[]) =>
    (await index.chunks(ids)).map(({ document }) => ({ commit: document, path: '' }))
  const rows: LaneRow[] = []
  for (const question of questions) {
    const settings = { ...profiles.best, lanes: { top: deep } }
    const options = { source: 'hunk', settings, filter: {}, limit: deep, now: 0 } as const
    const plan = await understand(question.text, index, options)
    const { lists } = await runLanes([plan.asked], plan, index, usable)
    for (const { lane, ranked } of lists) {
      const found = await shasOf(ranked.map(({ id }) => id))
      rows.push({ variant: `${lane} lane`, question, found })
    }
    const counts = new Map<string, number>()
    for (const token of tokenise(question.text)) counts.set(token, (counts.get(token) ?? 0) + 1)
    const terms = [...counts].map(([token, weight]) => ({ token, weight }))
    const plain = await index.matchTerms(terms, TEXTBOOK, {}, deep)
    rows.push({ variant: 'BM25, whole commit', question, found: await shasOf(plain.map(({ id }) => id)) })
  }
  await index.close()
  await embedders.close()
  return rows
}
