/** Which commit took a file away that neither the work tree nor HEAD has. The index knows it at once, git by walking. */

import { isBefore, lastDeletion } from '../../adapters/git/last-deletion.js'
import type { Repository } from '../../adapters/git/shadow.js'
import type { IndexReader } from '../../core/ports.js'
import type { History } from '../history.js'
import type { AskedFile } from './path.js'

export const findDeletion = async (
  repository: Repository,
  head: string,
  file: AskedFile,
  { history, index, signal }: { history: History; index: IndexReader | null; signal?: AbortSignal },
): Promise<string | null> => {
  const known = index && (await deletionIn(index, file.path))
  // Another branch may have deleted it as well, and an index that is behind would name an earlier time.
  const isKnown = known && (await history.holdsHead()) && (await isBefore(repository, known, head, signal))
  return isKnown ? known : lastDeletion(repository, head, file.gitPath, signal)
}

/** Only where the newest commit that touches the file is the one. */
const deletionIn = async (index: IndexReader, path: string): Promise<string | null> => {
  const hunks = await index.hunksAt([path], 1)
  const isGone = hunks.some(
    ({ file }) =>
      (file?.change === 'deleted' && file.path === path) ||
      (file?.change === 'renamed' && file.oldPath === path),
  )
  return isGone ? hunks[0]!.document : null
}
