/**
 * Real issue text → the files its fix changed, each at the commit before the fix. One corpus for each issue; those of a
 * repository share a directory that `prepare` moves from commit to commit, oldest first, so that each move is small.
 */

import { join } from 'node:path'
import { z } from 'zod'
import { samePath } from '#dist/measuring/metrics/match.js'
import { dataReader } from '#dist/measuring/sets/read-data.js'
import type { LeftOut } from '#dist/measuring/sets/shape.js'
import { checkout } from './checkout.js'
import { readObjects } from './git.js'
import type { Places } from './places.js'
import { findRepository } from './repository.js'
import type { BenchSet, Corpus } from './shape.js'

const instanceRow = z.object({
  instance_id: z.string(),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  base_commit: z.string().regex(/^[0-9a-f]{40}$/),
  query: z.string(),
  gold_code_files: z.array(z.string()).min(1),
  query_mentions_gold_path: z.boolean(),
})

type Instance = z.infer<typeof instanceRow>

/** The categories: issues that name the path of a gold file are easy for every search, and reported apart. */
export const namesGoldPath = 'names-path'
export const hidesGoldPath = 'plain'

export const loadIssues = async (places: Places, scratch: string): Promise<BenchSet> => {
  const reader = dataReader(join(places.data, 'issues'))
  const instances = await reader.jsonLines('instances.jsonl', instanceRow)
  const corpora: Corpus[] = []
  const leftOut: LeftOut[] = []
  for (const slug of [...new Set(instances.map(({ repo }) => repo))].sort()) {
    const gitDirectory = await findRepository(
      { slug, url: `https://github.com/${slug}.git` },
      places,
      scratch,
    )
    const own = instances.filter(({ repo }) => repo === slug)
    const times = await commitTimes(gitDirectory, new Set(own.map(instance => instance.base_commit)))
    const age = (instance: Instance): number => times.get(instance.base_commit) ?? 0
    const usable = own.filter(instance => times.has(instance.base_commit))
    for (const instance of own.filter(instance => !usable.includes(instance))) {
      leftOut.push({
        id: instance.instance_id,
        reason: `the repository lacks commit ${instance.base_commit}`,
      })
    }
    usable.sort((a, b) => age(a) - age(b) || (a.instance_id < b.instance_id ? -1 : 1))
    corpora.push(...usable.map(instance => asCorpus(instance, gitDirectory)))
  }
  return { name: 'issues', hash: reader.hash(), corpora, leftOut }
}

const asCorpus = (instance: Instance, gitDirectory: string): Corpus => ({
  name: instance.instance_id,
  repository: instance.repo,
  language: languageOf(instance.gold_code_files[0]!),
  queries: [
    {
      id: instance.instance_id,
      text: instance.query,
      category: instance.query_mentions_gold_path ? namesGoldPath : hidesGoldPath,
      targets: instance.gold_code_files.map(path => ({ path, grade: 1 })),
    },
  ],
  prepare: async scratch => {
    const directory = join(scratch, 'issues', instance.repo.replace('/', '+'))
    await checkout(gitDirectory, directory, instance.base_commit)
    return directory
  },
  matches: samePath,
})

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

const languages: Readonly<Record<string, string>> = {
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  go: 'go',
}

const languageOf = (path: string): string => languages[path.split('.').at(-1)!] ?? 'other'
