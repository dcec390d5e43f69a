/** Real issue text → the commits that fixed it, among all commits that the snapshot's head reaches. */

import { join } from 'node:path'
import { readIssueCommits } from '#dist/measuring/sets/issues.js'
import type { Places } from '../sets/places.js'
import { findRepository, slugOf } from '../sets/repository.js'

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
  const { hash, repositories } = await readIssueCommits(join(places.data, 'issues'))
  const corpora: CommitCorpus[] = []
  for (const { repository, queries, material } of repositories) {
    const { url, revision: head } = material
    const directory = await findRepository({ slug: slugOf(url), url }, places, scratch)
    const questions = queries.map(({ id, text, category, targets, commits = [] }) => ({
      ...{ id, text, commits: new Set(commits), namesPath: category === 'names-path' },
      files: new Set(targets.map(({ path }) => path)),
    }))
    corpora.push({ repository, directory, head, questions })
  }
  return { hash, corpora }
}
