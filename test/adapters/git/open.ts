/** What the tests of the git adapter share: opening, and reading everything that a history holds. */

import { join } from 'node:path'
import { gitHistory, type HistoryOptions } from '../../../dist/adapters/git/history-source.js'
import { type OpenOptions, openRepository, type Repository } from '../../../dist/adapters/git/shadow.js'
import type { Skipped, SourceDocument } from '../../../dist/core/types.js'
import { temporaryDirectory } from '../../fixtures/git-repository.js'

export const open = (root: string, options: Partial<OpenOptions> = {}): Promise<Repository> =>
  openRepository(root, { shadowDirectory: join(temporaryDirectory(), 'shadow'), ...options })

export interface WholeHistory {
  readonly listed: readonly string[]
  readonly unlisted: readonly Skipped[]
  readonly documents: readonly SourceDocument[]
  readonly skipped: readonly Skipped[]
}

export const readAll = async (
  root: string | Repository,
  options: HistoryOptions = {},
  known: readonly string[] = [],
): Promise<WholeHistory> => {
  const history = gitHistory(typeof root === 'string' ? await open(root) : root, options)
  const changes = await history.changes(new Map(known.map(sha => [sha, { stamp: sha, contentHash: sha }])))
  const documents: SourceDocument[] = []
  const skipped: Skipped[] = []
  for await (const item of history.read(changes.touched))
    if ('reason' in item) skipped.push(item)
    else documents.push(item)
  return { listed: changes.touched, unlisted: changes.skipped, documents, skipped }
}

/** The lines of a diff without its frame. */
export const changedLines = (text: string): string[] =>
  text.split('\n').filter(line => /^[+-](?![+-]{2} )/.test(line))

/** Something to read that never comes: a git that waits for it does nothing at all. */
export const endless = (): Iterable<string> => never() as unknown as Iterable<string>

async function* never(): AsyncGenerator<string> {
  await new Promise(() => {})
  yield ''
}
