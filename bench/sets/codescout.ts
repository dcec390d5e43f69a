/** Question → files of one repository, on its own scale of 0 to 3 points a query (`codescoutPoints`). */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { samePath } from '#dist/measuring/metrics/match.js'
import { dataReader } from '#dist/measuring/sets/read-data.js'
import { checkout } from './checkout.js'
import type { Places } from './places.js'
import { findRepository } from './repository.js'
import type { BenchSet } from './shape.js'

const slug = 'mareurs/codescout'
const revision = 'ede25e694b63219e1382f359d7ba242f66a516a5'

/** These hold the queries themselves, so a search that finds them proves nothing. */
const answers = [
  'docs/research/2026-04-03-embedding-model-benchmark.md',
  'docs/research/2026-05-06-retrieval-stack-benchmark.md',
  'docs/trackers/retrieval-benchmark.md',
  'scripts/run-tc-benchmark.py',
  'scripts/tc-suites',
  '.codescout/projects',
]

const cases = z.array(
  z.object({
    id: z.string(),
    tier: z.number(),
    query: z.string(),
    expected_files: z.array(z.string()).min(1),
  }),
)

export const loadCodescout = async (places: Places): Promise<BenchSet> => {
  const reader = dataReader(join(places.data, 'codescout'))
  const queries = (await reader.json('natural.json', cases)).map(({ id, tier, query, expected_files }) => ({
    id,
    text: query,
    category: `tier-${tier}`,
    targets: expected_files.map(path => ({ path, grade: 1 })),
  }))

  const prepare = async (scratch: string): Promise<string> => {
    const directory = join(scratch, 'codescout', `codescout@${revision.slice(0, 12)}`)
    const gitDirectory = await findRepository(
      { slug, url: `https://github.com/${slug}.git` },
      places,
      scratch,
    )
    await checkout(gitDirectory, directory, revision)
    for (const path of answers) await rm(join(directory, path), { recursive: true, force: true })
    return directory
  }

  const corpus = {
    name: 'codescout',
    repository: slug,
    language: 'rust',
    queries,
    prepare,
    matches: samePath,
  }
  return { name: 'codescout', hash: reader.hash(), corpora: [corpus], leftOut: [] }
}
