/**
 * Finds commits that cannot be shown because objects of theirs were never fetched, without reading any content: in a partial
 * clone that is most of them, and starting git anew behind each would take an hour.
 */

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
  const blobsOf = await listBlobs(repository, candidates, signal)
  const blobs = [...new Set([...blobsOf.values()].flat())]
  const answers = await checkObjects(repository, blobs, signal)
  const missing = new Set(blobs.filter((_, index) => answers[index]?.kind !== 'blob'))
  for (const [sha, ids] of blobsOf) {
    const id = missing.size === 0 ? undefined : ids.find(blob => missing.has(blob))
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

/** The blobs that each commit takes away or brings; commits behind one that git stops at are left out. */
const listBlobs = async (
  repository: Repository,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string[]>> => {
  const blobsOf = new Map<string, string[]>()
  if (shas.length === 0) return blobsOf
  const process = repository.stream(
    ['diff-tree', '--stdin', '--root', '-r', '-z', '--raw', '--no-renames', '--no-abbrev'],
    {
      input: shas.map(sha => `${sha}\n`),
      ...(signal ? { signal } : {}),
    },
  )
  const pieces: Buffer[] = []
  for await (const piece of process.output) pieces.push(piece)
  await process.ended
  let blobs: string[] = []
  const tokens = Buffer.concat(pieces).toString('latin1').split('\0')
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const [, oldMode, newMode, oldId, newId] = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) /.exec(token) ?? []
    if (oldMode === undefined) {
      blobs = []
      if (token !== '') blobsOf.set(token, blobs)
      continue
    }
    if (isBlob(oldMode)) blobs.push(oldId!)
    if (isBlob(newMode!)) blobs.push(newId!)
    // Its path.
    at++
  }
  return blobsOf
}

/** Neither absent nor a submodule. */
const isBlob = (mode: string): boolean => mode !== '000000' && mode !== '160000'
