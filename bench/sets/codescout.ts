/** Question → files of one repository, on its own scale of 0 to 3 points a query (`codescoutPoints`). */

import { join } from 'node:path'
import { readQuestionList } from '#dist/measuring/sets/question-list.js'
import { checkout } from './checkout.js'
import type { Places } from './places.js'
import { findRepository, slugOf } from './repository.js'
import type { BenchSet } from './shape.js'

export const loadCodescout = async (places: Places): Promise<BenchSet> => {
  const { name, hash, list, leftOut } = await readQuestionList(join(places.data, 'codescout/natural.json'))
  const { material, ...corpus } = list
  const { url, revision, without = [] } = material
  const prepare = async (scratch: string): Promise<string> => {
    const directory = join(scratch, 'codescout', `codescout@${revision.slice(0, 12)}`)
    const gitDirectory = await findRepository({ slug: slugOf(url), url }, places, scratch)
    await checkout(gitDirectory, directory, revision, { without })
    return directory
  }
  return { name, hash, corpora: [{ ...corpus, repository: slugOf(url), language: 'rust', prepare }], leftOut }
}
