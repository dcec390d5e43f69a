/** Brings a directory to the state of a commit, by the product's own means: from one commit to the next only what differs is written. */

import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openRepository } from '#dist/adapters/git/shadow.js'
import { type WantedTree, writeTree } from '#dist/engine/bench/write-tree.js'

export const checkout = async (
  gitDirectory: string,
  directory: string,
  commit: string,
  only: Pick<WantedTree, 'below' | 'without'> = {},
): Promise<void> => {
  await mkdir(dirname(directory), { recursive: true })
  const shadowDirectory = `${directory}.git`
  await writeTree(directory, { commit, ...only }, () =>
    openRepository(gitDirectory, { shadowDirectory, trust: true }),
  )
}
