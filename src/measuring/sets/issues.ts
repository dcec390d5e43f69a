/**
 * Real issue text → the files that its fix changed, at the commit before it, and → the commits that fixed it, among all that the
 * head of the snapshot reaches: `instances.jsonl` and `repos.json`. Two sets, as two things are ranked.
 */

import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { QuarryError } from '../../core/errors.js'
import { languageOf } from '../../text/language.js'
import { samePath } from '../metrics/match.js'
import { dataReader } from './read-data.js'
import { type BenchQuery, type LabelledCorpus, type LabelledSet, type Material, withChosen } from './shape.js'

const commitId = z.string().regex(/^[0-9a-f]{40}$/, 'it must be a commit id of 40 hex digits')

const instanceRow = z.object({
  instance_id: z.string(),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'it must be owner/name'),
  base_commit: commitId,
  created_at: z.string().default(''),
  query: z.string(),
  query_mentions_gold_path: z.boolean(),
  gold_code_files: z.array(z.string()).min(1),
  gold_files: z.array(z.object({ path: z.string() })).default([]),
  fix: z.object({ relevant_commits: z.array(z.object({ sha: commitId })) }).nullish(),
})
type Instance = z.infer<typeof instanceRow>

const repositoryRows = z.record(z.string(), z.object({ snapshot_head: commitId }))

/** The parts by the name that `--split` takes. */
const PARTS = ['files', 'commits'] as const

export const readIssues = async (
  directory: string,
  { split }: { readonly split?: string } = {},
): Promise<readonly LabelledSet[]> => {
  if (split !== undefined && !PARTS.some(part => part === split))
    throw new QuarryError('BAD_INPUT', `${directory} has no part ${split}: there are ${PARTS.join(', ')}`, {
      hint: '--split files',
    })
  return [
    ...(split !== 'commits' ? [await readIssueFiles(directory)] : []),
    ...(split !== 'files' ? [await readIssueCommits(directory)] : []),
  ]
}

/** A corpus of issues has a repository behind it, always. */
export interface IssueCorpus<Kind extends 'repository' | 'history'> extends LabelledCorpus {
  readonly material: Extract<Material, { kind: Kind }>
}

type IssueSet<Kind extends 'repository' | 'history'> = LabelledSet & {
  readonly repositories: readonly IssueCorpus<Kind>[]
}

/** One corpus for each issue. Those of a repository share a directory, oldest first, so that each move is small. */
export const readIssueFiles = async (directory: string): Promise<IssueSet<'repository'>> => {
  const reader = dataReader(directory)
  const instances = (await reader.jsonLines('instances.jsonl', instanceRow)).sort(
    (a, b) =>
      compare(a.repo, b.repo) || compare(a.created_at, b.created_at) || compare(a.instance_id, b.instance_id),
  )
  const corpora = instances.map((instance): IssueCorpus<'repository'> => {
    const { instance_id: name, repo, base_commit: revision, gold_code_files: gold } = instance
    const material = { kind: 'repository', url: addressOf(repo), revision, directory: '' } as const
    return {
      ...{ name, repository: repo, language: languageOf(gold[0]!), place: repo, matches: samePath, material },
      queries: [{ ...asQuery(instance), targets: gold.map(path => ({ path, grade: 1 })) }],
    }
  })
  return {
    ...{ name: `${basename(resolve(directory))}-files`, layout: 'files', hash: reader.hash() },
    ...{ leftOut: [], remarks: [NAMES_REMARK], repositories: corpora },
    questions: corpora.flatMap(({ queries }) => queries),
    corpora: chosen => withChosen(corpora, chosen),
  }
}

/** One corpus for each repository. */
export const readIssueCommits = async (directory: string): Promise<IssueSet<'history'>> => {
  const reader = dataReader(directory)
  const instances = await reader.jsonLines('instances.jsonl', instanceRow)
  const heads = await reader.json('repos.json', repositoryRows)
  const commitsOf = ({ fix }: Instance) => fix?.relevant_commits.map(({ sha }) => sha) ?? []
  const reasonOf = (instance: Instance): string | null =>
    heads[instance.repo] === undefined
      ? `repos.json does not have ${instance.repo}`
      : commitsOf(instance).length === 0
        ? 'no commit is known that fixed it'
        : null
  const corpora = Object.entries(heads)
    .sort(([a], [b]) => compare(a, b))
    .map(([repo, { snapshot_head: revision }]): IssueCorpus<'history'> => {
      const own = instances.filter(instance => instance.repo === repo && reasonOf(instance) === null)
      return {
        ...{ name: repo, repository: repo, matches: samePath },
        language: languageOf(own[0]?.gold_code_files[0] ?? ''),
        queries: own.map(instance => ({
          ...asQuery(instance),
          targets: instance.gold_files.map(({ path }) => ({ path, grade: 1 })),
          commits: commitsOf(instance),
        })),
        material: { kind: 'history', url: addressOf(repo), revision },
      }
    })
  return {
    ...{ name: `${basename(resolve(directory))}-commits`, layout: 'commits', hash: reader.hash() },
    leftOut: instances.flatMap(instance => {
      const reason = reasonOf(instance)
      return reason === null ? [] : [{ id: instance.instance_id, reason }]
    }),
    remarks: [NAMES_REMARK],
    repositories: corpora,
    questions: corpora.flatMap(({ queries }) => queries),
    corpora: chosen => withChosen(corpora, chosen),
  }
}

/** Issues that name the path of a gold file are easy for every search, and reported apart. */
const NAMES_REMARK = 'an issue whose text names the path of a file to find is of the category names-path'

const asQuery = ({
  instance_id,
  query,
  query_mentions_gold_path,
}: Instance): Omit<BenchQuery, 'targets'> => ({
  ...{ id: instance_id, text: query, category: query_mentions_gold_path ? 'names-path' : 'plain' },
})

const addressOf = (slug: string): string => `https://github.com/${slug}.git`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
