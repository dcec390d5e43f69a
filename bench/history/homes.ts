/** The indexes of the history benchmarks: one of everything, and one in which no commit has its tests. */

import { join } from 'node:path'
import { openQuarry, type Quarry } from '#dist/index.js'
import type { CommitCorpus } from './commits-set.js'

/** What `isTestPath` takes for tests, as a user would write it. */
const TEST_PATTERNS: readonly string[] = [
  ...'tests? specs? __tests__ testing testdata fixtures? mocks? __mocks__ e2e'
    .split(' ')
    .flatMap(name => (name.endsWith('?') ? [name.slice(0, -2), name.slice(0, -1)] : [name]))
    .map(name => `${name}/`),
  ...['test_*', 'conftest*', '*_test.*'],
  ...['test', 'tests', 'spec', 'bench'].map(word => `*[._-]${word}.*`),
  ...['Test', 'Tests', 'Spec', 'IT'].flatMap(word =>
    ['java', 'kt', 'cs', 'scala', 'swift', 'php'].map(extension => `*${word}.${extension}`),
  ),
]

export const homeIn = (scratch: string, withoutTests = false): string =>
  join(scratch, withoutTests ? 'history-home-no-tests' : 'history-home')

/** Brings the index up to date and opens it. */
export const openHistory = async (
  { directory, head }: CommitCorpus,
  scratch: string,
  options: { readonly overrides?: Readonly<Record<string, unknown>>; readonly withoutTests?: boolean } = {},
): Promise<Quarry> => {
  const { overrides = {}, withoutTests = false } = options
  const environment = { ...process.env, QUARRY_HOME: homeIn(scratch, withoutTests) }
  const scope = withoutTests ? { 'index.ignore': TEST_PATTERNS } : {}
  const opened = { root: directory, environment, trust: true }
  const indexer = await openQuarry({ ...opened, overrides: scope })
  await indexer.index({ stage: 'full', history: { refs: [head] } })
  await indexer.close()
  return openQuarry({ ...opened, overrides: { ...scope, ...overrides } })
}
