/** Real issue text → the commits that fixed it, among all commits that the snapshot's head reaches. */

import { join } from 'node:path'
import { z } from 'zod'
import { dataReader } from '#dist/measuring/sets/read-data.js'
import type { Places } from '../sets/places.js'
import { findRepository } from '../sets/repository.js'

const instanceRow = z.object({
  instance_id: z.string(),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  query: z.string(),
  query_mentions_gold_path: z.boolean(),
  gold_files: z.array(z.object({ path: z.string() })),
  fix: z.object({ relevant_commits: z.array(z.object({ sha: z.string() })) }).nullish(),
})
const repositoryRows = z.record(z.string(), z.object({ snapshot_head: z.string().regex(/^[0-9a-f]{40}$/) }))

export interface CommitQuestion {
  readonly id: string
  readonly text: string
  readonly commits: ReadonlySet<string>
  readonly files: ReadonlySet<string>
  readonly namesPath: boolean
}

export interface CommitCorpus {
  readonly repository: string
  /** Bare. */
  readonly directory: string
  readonly head: string
  readonly questions: readonly CommitQuestion[]
}

export const loadCommitSet = async (
  places: Places,
  scratch: string,
): Promise<{ readonly hash: string; readonly corpora: readonly CommitCorpus[] }> => {
  const reader = dataReader(join(places.data, 'issues'))
  const instances = await reader.jsonLines('instances.jsonl', instanceRow)
  const repositories = await reader.json('repos.json', repositoryRows)
  const corpora: CommitCorpus[] = []
  for (const slug of Object.keys(repositories).sort()) {
    const url = `https://github.com/${slug}.git`
    const directory = await findRepository({ slug, url }, places, scratch)
    const questions = instances
      .filter(({ repo, fix }) => repo === slug && (fix?.relevant_commits.length ?? 0) > 0)
      .map(instance => ({
        id: instance.instance_id,
        text: instance.query,
        commits: new Set(instance.fix!.relevant_commits.map(({ sha }) => sha)),
        files: new Set(instance.gold_files.map(({ path }) => path)),
        namesPath: instance.query_mentions_gold_path,
      }))
    corpora.push({ repository: slug, directory, head: repositories[slug]!.snapshot_head, questions })
  }
  return { hash: reader.hash(), corpora }
}
