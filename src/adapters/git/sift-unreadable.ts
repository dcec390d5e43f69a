/**
 * Finds commits that cannot be shown because objects of theirs were never fetched, without reading any content: in a partial
 * clone that is most of them, and starting git anew behind each would take an hour.
 */

import { listChanges } from './list-changes.js'
import { checkObjects } from './revision.js'
import type { Repository } from './shadow.js'

/** By commit, what is missing. Commits that git cannot even list the changes of are among them. */
export const siftUnreadable = async (
  repository: Repository,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> => {
  const unreadable = new Map<string, string>()
  await siftTrees(repository, shas, unreadable, signal)
  const candidates = shas.filter(sha => !unreadable.has(sha))
  const changesOf = await listChanges(repository, candidates, signal)
  const blobs = [...new Set([...changesOf.values()].flat().flatMap(change => change.blobs))]
  const answers = await checkObjects(repository, blobs, signal)
  const missing = new Set(blobs.filter((_, index) => answers[index]?.kind !== 'blob'))
  for (const [sha, changes] of missing.size === 0 ? [] : changesOf) {
    const id = changes.flatMap(change => change.blobs).find(blob => missing.has(blob))
    if (id !== undefined) unreadable.set(sha, `object ${id} is not there`)
  }
  return unreadable
}

/** The trees of each commit and of its first parent. */
const siftTrees = async (
  repository: Repository,
  shas: readonly string[],
  unreadable: Map<string, string>,
  signal?: AbortSignal,
): Promise<void> => {
  const answers = await checkObjects(
    repository,
    shas.flatMap(sha => [sha, `${sha}^{tree}`, `${sha}^1^{commit}`, `${sha}^1^{tree}`]),
    signal,
  )
  shas.forEach((sha, index) => {
    const [commit, tree, parent, parentTree] = answers.slice(index * 4, index * 4 + 4)
    if (commit?.kind !== 'commit') unreadable.set(sha, 'there is no such commit')
    else if (tree?.kind !== 'tree') unreadable.set(sha, 'its tree is not there')
    // Without a parent it may be a first commit: git will tell.
    else if (parent?.kind === 'commit' && parentTree?.kind !== 'tree')
      unreadable.set(sha, 'the tree of its parent is not there')
  })
}
