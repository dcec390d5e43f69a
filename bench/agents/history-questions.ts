/** Issues and the commits that fixed them as an agent meets them: by `find_pattern`, and by `git log --grep` and `-S`. */

import { join } from 'node:path'
import type { CommitCorpus } from '../history/commits-set.js'
import { openAsking } from './ask-tool.js'
import type { Counter } from './count-tokens.js'
import { bySearchOf, type LoggedCommit, namesIn, readLog, titleWords } from './git-log.js'
import { type ReadQuestion, scoreReading } from './reading.js'

const CALLS = [
  ...(['compact', 'normal', 'full'] as const).map(detail => ({ detail, k: 20, max_tokens: 20_000 })),
  { detail: 'normal', k: 5, max_tokens: 8_000 } as const,
]

/** The tools take no longer questions; a few issues hold a whole log. */
const LONGEST_QUESTION = 32_768

/** The rest of the largest repositories would say the same and take long. */
const MOST_QUESTIONS = 25

export const readHistory = async (
  corpus: CommitCorpus,
  scratch: string,
  counters: readonly Counter[],
): Promise<ReadQuestion[]> => {
  const { repository, directory } = corpus
  const questions = corpus.questions.slice(0, MOST_QUESTIONS)
  const asking = await openAsking(directory, join(scratch, 'history-home'))
  const rows: ReadQuestion[] = []
  for (const { id, text, commits } of questions) {
    const query = text.slice(0, LONGEST_QUESTION)
    for (const call of CALLS) {
      const { hits, forms } = await asking.ask('find_pattern', { query, ...call })
      const isRight = hits.map(hit => [...commits].some(sha => sha.startsWith(hit.commit!)))
      for (const { name: form, pieces, whole } of forms)
        for (const { name: tokens, count } of counters) {
          const read = pieces.map((piece, position) => ({
            tokens: count(piece),
            targets: isRight[position] ? [0] : [],
          }))
          rows.push({
            ...{ id, repository, config: { method: 'find_pattern', ...call, form, tokens } },
            scores: { ...scoreReading(read, 1), answer: count(whole) },
          })
        }
    }
  }
  await asking.close()

  const names = new Set(questions.flatMap(({ text }) => namesIn(text)))
  const log = await readLog(directory, corpus.head, names)
  for (const { id, text, commits } of questions) {
    const ways: Readonly<Record<string, readonly LoggedCommit[]>> = {
      'git log --grep': bySearchOf(log, titleWords(text), ({ message }, word) => message.includes(word)),
      'git log -S': bySearchOf(log, namesIn(text), ({ changed }, word) => changed.has(word)),
    }
    for (const [method, found] of Object.entries(ways))
      for (const { name: tokens, count } of counters) {
        const last = found.findIndex(({ sha }) => commits.has(sha))
        const read = found
          .slice(0, last + 1)
          .map(({ sha, entry }) => ({ tokens: count(entry), targets: commits.has(sha) ? [0] : [] }))
        rows.push({ ...{ id, repository, config: { method, tokens } }, scores: scoreReading(read, 1) })
      }
  }
  return rows
}
