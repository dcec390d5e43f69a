/** What the stories about history share: repositories made by script, and ways to look into the index that ask no question. */

import { join } from 'node:path'
import { expect } from 'vitest'
import { dump } from '../../dist/adapters/stores/sqlite/index.js'
import { indexDirectory } from '../../dist/config/directories.js'
import type { Hit } from '../../dist/core/answers.js'
import { type FixtureRepository, gitRepository } from '../fixtures/git-repository.js'
import type { Scene } from './story.js'

/** In the directory of the scene. */
export const repositoryIn = ({ repo }: Scene): FixtureRepository => gitRepository(repo)

export interface PlannedCommit {
  readonly message: string
  readonly files: Readonly<Record<string, string>>
  readonly author?: string
  /** Seconds since 1970. */
  readonly time: number
}

/** Many commits at once on the checked-out branch; the work tree follows. */
export const importCommits = (repository: FixtureRepository, commits: readonly PlannedCommit[]): void => {
  const parts: string[] = []
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`
  const hasParent = repository.revisions('--all').length > 0
  commits.forEach(({ message, files, author = 'Ada Lovelace <ada@example.org>', time }, index) => {
    parts.push('commit refs/heads/main\n')
    parts.push(`author ${author} ${time} +0000\ncommitter ${author} ${time} +0000\n${data(message)}`)
    if (index === 0 && hasParent) parts.push('from refs/heads/main^0\n')
    for (const [path, text] of Object.entries(files)) parts.push(`M 644 inline ${path}\n${data(text)}`)
  })
  repository.pipe(parts.join(''), 'fast-import', '--quiet')
  repository.git('reset', '--quiet', '--hard', 'main')
}

/** The lines of the dump of the history index of the scene, or of another root. */
export const dumpHistory = async ({ home, repo }: Scene, root = repo): Promise<string[]> =>
  dump(join(indexDirectory(join(home, 'data'), root), 'history'))

/** The commits in the index, sorted, each as often as it is there. Checks that each has all its chunks. */
export const indexedCommits = async (scene: Scene, root = scene.repo): Promise<string[]> => {
  const lines = await dumpHistory(scene, root)
  const documents = lines.flatMap(line => {
    const [, sha, chunks] = /^hunk "([0-9a-f]+)" = \S+ (\d+)$/.exec(line) ?? []
    return sha === undefined ? [] : [{ sha, chunks: Number(chunks) }]
  })
  for (const { sha, chunks } of documents)
    expect(lines.filter(line => line.startsWith(`hunk "${sha}" 0`))).toHaveLength(chunks)
  return documents.map(({ sha }) => sha).sort()
}

/** What the index is to hold of a repository. */
export const expectedCommits = (repository: FixtureRepository): string[] =>
  repository.revisions('--no-merges', 'HEAD', '--branches')

export interface Found {
  readonly code: number | null
  readonly query: string
  readonly understood?: readonly string[]
  readonly hits: readonly Hit[]
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly hint?: string }[]
  readonly index: { readonly documents: number }
}

export const find = async (scene: Scene, ...args: readonly string[]): Promise<Found> => {
  const { code, stdout, stderr } = await scene.run('find', '--json', ...args)
  expect([...args, stderr]).toEqual([...args, ''])
  return { code, ...JSON.parse(stdout) }
}

export const indexHistory = async (scene: Scene, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await scene.run('index', '--fast', '--json', '--quiet', ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
