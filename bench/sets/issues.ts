/**
 * Real issue text → the files its fix changed, each at the commit before the fix. Those of a repository share a directory that
 * `prepare` moves from commit to commit, by their dates, so that each move is small.
 */

import { join } from 'node:path'
import { readIssueFiles } from '#dist/measuring/sets/issues.js'
import type { LeftOut } from '#dist/measuring/sets/shape.js'
import { checkout } from './checkout.js'
import { readObjects } from './git.js'
import type { Places } from './places.js'
import { findRepository, slugOf } from './repository.js'
import type { BenchSet, Corpus } from './shape.js'

export const loadIssues = async (places: Places, scratch: string): Promise<BenchSet> => {
  const { hash, repositories } = await readIssueFiles(join(places.data, 'issues'))
  const corpora: Corpus[] = []
  const leftOut: LeftOut[] = []
  for (const slug of new Set(repositories.map(({ repository }) => repository))) {
    const own = repositories.filter(({ repository }) => repository === slug)
    const { url } = own[0]!.material
    const gitDirectory = await findRepository({ slug: slugOf(url), url }, places, scratch)
    const times = await commitTimes(gitDirectory, new Set(own.map(({ material }) => material.revision)))
    const timeOf = ({ material }: (typeof own)[number]): number => times.get(material.revision) ?? 0
    for (const { name, material } of own.filter(({ material }) => !times.has(material.revision)))
      leftOut.push({ id: name, reason: `the repository lacks commit ${material.revision}` })
    const usable = own
      .filter(({ material }) => times.has(material.revision))
      .sort((a, b) => timeOf(a) - timeOf(b) || (a.name < b.name ? -1 : 1))
    corpora.push(
      ...usable.map(({ material, place: _place, ...corpus }) => ({
        ...corpus,
        prepare: async (scratch: string) => {
          const directory = join(scratch, 'issues', slug.replace('/', '+'))
          await checkout(gitDirectory, directory, material.revision)
          return directory
        },
      })),
    )
  }
  return { name: 'issues', hash, corpora, leftOut }
}

/** Seconds since 1970 of the commits that the repository holds. */
const commitTimes = async (
  gitDirectory: string,
  commits: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> => {
  const times = new Map<string, number>()
  for await (const { name, content } of readObjects(gitDirectory, [...commits])) {
    const seconds = content && /^committer .* (\d+) [+-]\d{4}$/m.exec(content.toString('utf8'))?.[1]
    if (seconds) times.set(name, Number(seconds))
  }
  return times
}
