/** One commit as the history source would hand it over: for a reader who knows which one. */

import { QuarryError } from '../../core/errors.js'
import type { CommitFacts, SourceDocument } from '../../core/types.js'
import { commitDocument } from './commit-document.js'
import { checkId } from './git-path.js'
import { readCommits } from './read-commits.js'
import { idPattern } from './refs.js'
import type { Repository } from './shadow.js'

const LARGEST_FILE_DIFF = 1 << 20
const LARGEST_COMMIT_DIFF = 16 << 20

/** A merge is shown as what it brought to its first parent. Throws `GIT_FAILED` when an object is missing. */
export const commitDiff = async (
  repository: Repository,
  sha: string,
  signal?: AbortSignal,
): Promise<SourceDocument> => {
  const id = checkId(sha, idPattern(repository.facts.objectFormat))
  const limits = {
    maxFileBytes: LARGEST_FILE_DIFF,
    maxCommitBytes: LARGEST_COMMIT_DIFF,
    judgePath: () => undefined,
    below: '',
    merges: true,
  }
  for await (const commit of readCommits(repository, [id], limits, signal)) {
    if (!('reason' in commit)) return commitDocument(commit)
    throw new QuarryError('GIT_FAILED', `The commit ${id} cannot be read: ${commit.detail}`, {
      hint: 'git fsck says whether the repository is sound',
    })
  }
  throw new QuarryError('INTERNAL', `Nothing was said of the commit ${id}`)
}

/** What a commit says of itself, when its objects are not all there: then there is no diff to tell of. */
export const commitFacts = async (
  repository: Repository,
  sha: string,
  signal?: AbortSignal,
): Promise<CommitFacts> => {
  const output = await repository.run(
    [
      'log',
      '-1',
      '--no-walk',
      '-s',
      '--format=%an%x00%ae%x00%at%x00%ct%x00%B',
      '--end-of-options',
      sha,
      '--',
    ],
    signal ? { signal } : {},
  )
  const [author = '', email = '', authored = '', committed = '', message = ''] = output.toString().split('\0')
  return {
    ...{ sha, author, email, message: message.trimEnd() },
    ...{ authored: Number(authored) * 1000, committed: Number(committed) * 1000 },
  }
}
