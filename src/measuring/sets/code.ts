/** Question → file of a repository at a pinned commit: `repos.json` and `annotations/<name>.json`. */

import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { endsWithTarget } from '../metrics/match.js'
import { type DataReader, dataReader } from './read-data.js'
import {
  type BenchQuery,
  type LabelledCorpus,
  type LabelledSet,
  type Material,
  type Target,
  withChosen,
} from './shape.js'

const repositories = z.array(
  z.object({
    name: z.string().regex(/^[\w.-]+$/),
    language: z.string(),
    url: z.string(),
    revision: z.string().regex(/^[0-9a-f]{40}$/),
    benchmark_root: z.string().nullish(),
  }),
)

const label = z.union([
  z.string().transform(path => ({ path })),
  z.object({ path: z.string(), start_line: z.number().int(), end_line: z.number().int() }),
])

const annotations = z.array(
  z.object({
    query: z.string(),
    relevant: z.array(label),
    secondary: z.array(label).default([]),
    category: z.string().default(''),
  }),
)

/** A corpus of this layout has a repository behind it, always. */
export interface CodeCorpus extends LabelledCorpus {
  readonly material: Extract<Material, { kind: 'repository' }>
}

export const readCodeSet = async (
  directory: string,
): Promise<LabelledSet & { readonly repositories: readonly CodeCorpus[] }> => {
  const reader = dataReader(directory)
  const corpora: CodeCorpus[] = []
  for (const { name, language, url, revision, benchmark_root } of await reader.json(
    'repos.json',
    repositories,
  )) {
    // Labels are written from the root of the repository, results from the directory that is indexed.
    const root = benchmark_root ?? ''
    corpora.push({
      ...{ name, repository: name, language },
      queries: await readQueries(reader, name),
      material: { kind: 'repository', url, revision, directory: root },
      matches: endsWithTarget(root),
    })
  }
  return {
    ...{ name: basename(resolve(directory)), layout: 'code', hash: reader.hash(), leftOut: [], remarks: [] },
    questions: corpora.flatMap(({ queries }) => queries),
    repositories: corpora,
    corpora: chosen => withChosen(corpora, chosen),
  }
}

const readQueries = async (reader: DataReader, name: string): Promise<BenchQuery[]> =>
  (await reader.json(`annotations/${name}.json`, annotations)).flatMap((entry, index) => {
    // Both kinds of label count the same.
    const targets = [...entry.relevant, ...entry.secondary].map(asTarget)
    const { query: text, category } = entry
    return targets.length === 0 ? [] : [{ id: `${name}/${index}`, text, category, targets }]
  })

const asTarget = (entry: z.infer<typeof label>): Target =>
  'start_line' in entry
    ? { path: entry.path, startLine: entry.start_line, endLine: entry.end_line, grade: 1 }
    : { path: entry.path, grade: 1 }
