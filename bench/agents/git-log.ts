/**
 * What an agent does with the history when it has git alone: `git log --grep` or `git log -S` for the words it has, and reading
 * what git prints. The whole log is read once and searched here, with the same outcome as git's own search: `--grep` is a
 * word in the message, `-S` a file in which a word came to stand more or less often. To git's order, newest first, one kindness
 * is added: commits that match more of the words come first.
 */

import { git } from '../sets/git.js'
import { grepWords } from './grep-and-read.js'

export interface LoggedCommit {
  readonly sha: string
  /** As `git log` prints it. */
  readonly entry: string
  readonly message: string
  /** Of those that were looked for: the words whose count a file of it changed. */
  readonly changed: ReadonlySet<string>
}

/** Agents look for names; where an issue has none, for the words of its title. */
export const namesIn = (text: string): readonly string[] => {
  const names = text.match(/\b(?:[a-z]+[A-Z]\w*|[A-Z]\w*[a-z][A-Z]\w*|\w*[a-z0-9]_[a-z0-9]\w*)\b/g) ?? []
  const chosen = [...new Set(names)].filter(name => name.length <= 60).slice(0, MOST_NAMES)
  return chosen.length > 0 ? chosen : titleWords(text)
}

export const titleWords = (text: string): readonly string[] => grepWords(text.split('\n', 1)[0]!)

const MOST_NAMES = 5
const COMMIT = '\u0001'

export const readLog = async (
  gitDirectory: string,
  head: string,
  words: ReadonlySet<string>,
): Promise<readonly LoggedCommit[]> => {
  const here = ['-c', 'safe.directory=*', '--git-dir', gitDirectory]
  const format = `--format=${COMMIT}%H%n%an <%ae>%n%ad%n%B${COMMIT}`
  const log = await git([
    ...here,
    'log',
    '-p',
    '-U0',
    '--no-merges',
    '--no-renames',
    '--no-color',
    format,
    head,
  ])
  const anyWord = wordPattern(words)
  const parts = log.toString('utf8').split(COMMIT).slice(1)
  return Array.from({ length: parts.length >> 1 }, (_, number) => {
    const [sha = '', author = '', date = '', ...message] = parts[2 * number]!.split('\n')
    const text = message.join('\n').trimEnd()
    const indented = text.split('\n').map(line => `    ${line}`)
    return {
      ...{ sha, message: text.toLowerCase(), changed: changedWords(parts[2 * number + 1]!, anyWord) },
      entry: [`commit ${sha}`, `Author: ${author}`, `Date:   ${date}`, '', ...indented, '', ''].join('\n'),
    }
  })
}

/** Longer words first, so that none hides behind its own beginning. */
const wordPattern = (words: ReadonlySet<string>): RegExp =>
  new RegExp(
    [...words]
      .sort((a, b) => b.length - a.length)
      .map(escaped)
      .join('|') || '(?!)',
    'g',
  )

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const changedWords = (patch: string, anyWord: RegExp): ReadonlySet<string> => {
  const changed = new Set<string>()
  for (const file of patch.split('\ndiff --git ')) {
    const balance = new Map<string, number>()
    for (const line of file.split('\n')) {
      const sign = line.startsWith('+') ? 1 : line.startsWith('-') ? -1 : 0
      if (sign === 0 || line.startsWith('+++ ') || line.startsWith('--- ')) continue
      for (const [word] of line.matchAll(anyWord)) balance.set(word, (balance.get(word) ?? 0) + sign)
    }
    for (const [word, count] of balance) if (count !== 0) changed.add(word)
  }
  return changed
}

export const bySearchOf = (
  log: readonly LoggedCommit[],
  words: readonly string[],
  holds: (commit: LoggedCommit, word: string) => boolean,
): readonly LoggedCommit[] =>
  log
    .map(commit => ({ commit, matching: words.filter(word => holds(commit, word)).length }))
    .filter(({ matching }) => matching > 0)
    .sort((a, b) => b.matching - a.matching)
    .map(({ commit }) => commit)
