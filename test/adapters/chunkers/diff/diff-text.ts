/** Diffs for the tests of the history chunker: made by hand, by git, and turned back into files. */

import { execFileSync } from 'node:child_process'
import { devNull } from 'node:os'
import type { FileSection } from '../../../../dist/adapters/chunkers/diff/parse-diff.js'
import type { SourceDocument } from '../../../../dist/core/types.js'

export const commitOf = (text: string, message = 'Change something'): SourceDocument => ({
  kind: 'hunk',
  path: '1234567890123456789012345678901234567890',
  language: 'diff',
  text,
  contentHash: 'hash',
  stamp: 'stamp',
  time: 0,
  commit: {
    sha: '1234567890123456789012345678901234567890',
    author: 'Ada',
    email: 'ada@example.org',
    authored: 0,
    committed: 0,
    message,
  },
})

/** A hunk with the counts that its lines give. */
export const hunkText = (
  lines: readonly string[],
  context = '',
  oldStart = 1,
  newStart = oldStart,
): string => {
  const count = (signs: string): number => lines.filter(line => signs.includes(line.charAt(0))).length
  return [
    `@@ -${oldStart},${count(' -')} +${newStart},${count(' +')} @@${context && ` ${context}`}`,
    ...lines,
  ].join('\n')
}

export const modified = (path: string, ...hunks: readonly string[]): string =>
  [
    `diff --git a/${path} b/${path}`,
    'index 1111111..2222222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    ...hunks,
    '',
  ].join('\n')

/** Deaf to the configuration of the machine. */
export const git = (directory: string, ...parameters: readonly string[]): string => {
  try {
    return execFileSync('git', parameters, {
      cwd: directory,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: directory,
        GIT_CONFIG_GLOBAL: devNull,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.org',
        GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.org',
        GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z',
      },
    })
  } catch (error) {
    // `diff --no-index` ends with 1 when the files differ.
    const { status, stdout } = error as { status: number; stdout: string }
    if (status === 1) return stdout
    throw error
  }
}

/** Lines with their line ends. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** The old text with the hunks of its file section applied, which must fit. */
export const applyHunks = (diff: string, section: FileSection, old: string): string => {
  const before = linesOf(old)
  const after: string[] = []
  let at = 0
  for (const hunk of section.hunks) {
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1
    if (start < at) throw new Error(`the hunk at line ${hunk.oldStart} overlaps the one before it`)
    after.push(...before.slice(at, start))
    at = start
    const expected = hunk.newCount === 0 ? hunk.newStart : hunk.newStart - 1
    if (after.length !== expected)
      throw new Error(`line ${after.length + 1} of the new file is called ${expected + 1}`)
    for (const [index, offset] of hunk.lines.entries()) {
      const next = hunk.lines[index + 1]
      const line = diff.slice(offset, next === undefined ? hunk.end : next - 1)
      if (line.startsWith('\\')) continue
      const bare = next !== undefined && diff[next] === '\\'
      const content = line.slice(1) + (bare ? '' : '\n')
      if (!line.startsWith('+') && before[at++] !== content)
        throw new Error(`${JSON.stringify(line)} does not fit`)
      if (!line.startsWith('-')) after.push(content)
    }
  }
  return [...after, ...before.slice(at)].join('')
}
