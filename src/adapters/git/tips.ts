/** Where a walk through history begins: the commits that the chosen refs point at. */

import { QuarryError } from '../../core/errors.js'
import { checkObjects, checkRevisionText, refsMatching, resolveRevision } from './revision.js'
import type { Repository } from './shadow.js'

export interface Tip {
  readonly name: string
  readonly sha: string
}

/** HEAD and every local branch, unless names or patterns are given. A name that is none throws `BAD_INPUT`. */
export const chooseTips = async (repository: Repository, names: readonly string[] = []): Promise<Tip[]> => {
  const { refs, head } = await repository.refs()
  if (names.length === 0) {
    const branches = [...refs.values()].filter(({ name }) => name.startsWith('refs/heads/'))
    return [...(head === null ? [] : [{ name: 'HEAD', sha: head }]), ...branches]
  }
  const tips: Tip[] = []
  for (const name of names) {
    checkRevisionText(name)
    const matching = refsMatching(refs, name)
    if (name.includes('*') && matching.length === 0)
      throw new QuarryError('BAD_INPUT', `No branch or tag is called like ${JSON.stringify(name)}`, {
        hint: 'git branch --all and git tag list the names there are',
      })
    if (matching.length > 0) tips.push(...matching)
    else tips.push({ name, sha: await resolveRevision(repository, name) })
  }
  return tips
}

export interface PeeledTips {
  readonly commits: readonly string[]
  /** Tips that are not there. Tips that are no commits, such as tagged files, are neither here nor there. */
  readonly missing: readonly Tip[]
}

export const peelTips = async (
  repository: Repository,
  tips: readonly Tip[],
  signal?: AbortSignal,
): Promise<PeeledTips> => {
  const unique = [...new Map(tips.map(tip => [tip.sha, tip])).values()]
  const queries = unique.flatMap(({ sha }) => [sha, `${sha}^{commit}`])
  const answers = await checkObjects(repository, queries, signal)
  return {
    commits: [
      ...new Set(
        answers.flatMap((answer, index) => (index % 2 === 1 && answer.id !== '' ? [answer.id] : [])),
      ),
    ],
    missing: unique.filter((_, index) => answers[index * 2]?.kind === 'missing'),
  }
}
