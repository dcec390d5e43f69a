/** Question → file: 20 repositories at pinned revisions. Scored by nDCG@10 over the first ten results. */

import { join } from 'node:path'
import { readCodeSet } from '#dist/measuring/sets/code.js'
import { checkout } from './checkout.js'
import type { Places } from './places.js'
import { findRepository, slugOf } from './repository.js'
import type { BenchSet } from './shape.js'

export const loadCodeSearch = async (places: Places): Promise<BenchSet> => {
  const { name, hash, leftOut, repositories } = await readCodeSet(join(places.data, 'code-search'))
  const corpora = repositories.map(({ material, ...corpus }) => {
    const { url, revision, directory: root } = material
    const gitDirectory = (scratch: string): Promise<string> =>
      findRepository({ slug: slugOf(url), url }, places, scratch)
    const prepare = async (scratch: string): Promise<string> => {
      const directory = join(scratch, 'code-search', `${corpus.name}@${revision.slice(0, 12)}`)
      await checkout(await gitDirectory(scratch), directory, revision)
      return join(directory, root)
    }
    return { ...corpus, gitDirectory, prepare }
  })
  return { name, hash, corpora, leftOut }
}
