/** Question → file: 20 repositories at pinned revisions. Scored by nDCG@10 over the first ten results. */

import { join } from 'node:path'
import { z } from 'zod'
import { endsWithTarget } from '../metrics/match.js'
import { checkout } from './checkout.js'
import type { Places } from './places.js'
import { type DataReader, dataReader } from './read-data.js'
import { findRepository, slugOf } from './repository.js'
import type { BenchQuery, BenchSet, Corpus, Target } from './shape.js'

const repositories = z.array(
  z.object({
    name: z.string(),
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
    secondary: z.array(label),
    category: z.string(),
  }),
)

export const loadCodeSearch = async (places: Places): Promise<BenchSet> => {
  const reader = dataReader(join(places.data, 'code-search'))
  const corpora: Corpus[] = []
  for (const repository of await reader.json('repos.json', repositories)) {
    const { name, language, url, revision } = repository
    // Labels are written from the root of the repository, results from the directory that is indexed.
    const root = repository.benchmark_root ?? ''
    corpora.push({
      name,
      repository: name,
      language,
      queries: await readQueries(reader, name),
      gitDirectory: scratch => findRepository({ slug: slugOf(url), url }, places, scratch),
      prepare: async scratch => {
        const directory = join(scratch, 'code-search', `${name}@${revision.slice(0, 12)}`)
        const gitDirectory = await findRepository({ slug: slugOf(url), url }, places, scratch)
        await checkout(gitDirectory, directory, revision)
        return join(directory, root)
      },
      matches: endsWithTarget(root),
    })
  }
  return { name: 'code-search', hash: reader.hash(), corpora, leftOut: [] }
}

const readQueries = async (reader: DataReader, name: string): Promise<BenchQuery[]> =>
  (await reader.json(`annotations/${name}.json`, annotations)).map((entry, index) => ({
    id: `${name}/${index}`,
    text: entry.query,
    category: entry.category,
    // Both kinds of label count the same.
    targets: [...entry.relevant, ...entry.secondary].map(asTarget),
  }))

const asTarget = (entry: z.infer<typeof label>): Target =>
  'start_line' in entry
    ? { path: entry.path, startLine: entry.start_line, endLine: entry.end_line, grade: 1 }
    : { path: entry.path, grade: 1 }
