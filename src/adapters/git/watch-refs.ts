/** Notices that a branch may have moved: a commit, a checkout, a rebase, a fetch that packed refs. Says no more than that. */

import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import type { FoundRepository } from './find-repository.js'

export interface RefsWatch {
  close(): void
}

/** Whatever of it cannot be watched is left out: the next look at the repository finds out all the same. */
export const watchRefs = (
  { gitDirectory, commonDirectory }: Pick<FoundRepository, 'gitDirectory' | 'commonDirectory'>,
  onStir: () => void,
): RefsWatch => {
  const watchers: FSWatcher[] = []
  const listen = (directory: string, isOfInterest: (name: string) => boolean): void => {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || isOfInterest(name)) onStir()
      })
      watchers.push(watcher.on('error', () => watcher.close()))
    } catch {
      // Not every repository has a log.
    }
  }
  listen(gitDirectory, name => name === 'HEAD' || name === 'packed-refs')
  listen(join(gitDirectory, 'logs'), name => name === 'HEAD')
  listen(join(commonDirectory, 'refs/heads'), name => !name.endsWith('.lock'))
  if (commonDirectory !== gitDirectory) listen(commonDirectory, name => name === 'packed-refs')
  return {
    close: () => {
      for (const watcher of watchers) watcher.close()
    },
  }
}
