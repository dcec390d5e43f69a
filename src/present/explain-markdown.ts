/** An explanation as Markdown, to be pasted into an issue or handed to a model. */

import type { ExplainingCommit, Explanation, RelatedCommit } from '../core/explanation.js'
import { shortId } from './commit-text.js'
import { excerptOf } from './diff-excerpt.js'
import { provenanceText, shareText } from './explain-text.js'
import { fenced, inline } from './markdown.js'
import type { Detail } from './text.js'
import { explainedWithoutSecrets } from './without-secrets.js'

export const explanationMarkdown = (
  explanation: Explanation,
  options: { readonly detail?: Detail } = {},
): string => {
  const { path, at, startLine, endLine, uncommitted } = explanation
  const version = at === null ? '' : ` at ${inline(at.slice(0, 12))}`
  const pending = uncommitted ? `not committed yet: ${shareText(uncommitted.share, uncommitted.lines)}\n` : ''
  const { exact, related } = explainedWithoutSecrets(explanation)
  const commits = [...exact, ...related]
  if (options.detail === 'compact')
    return `${pending && `- ${pending}`}${commits.map(commit => `- ${title(commit)}: ${claim(commit)}\n`).join('')}`
  return [
    `## ${inline(`${path}:${startLine}-${endLine}`)}${version}\n`,
    ...(pending === '' ? [] : [pending]),
    ...commits.map(commit => section(commit, options.detail === 'full')),
  ].join('\n')
}

const section = (commit: ExplainingCommit | RelatedCommit, isFull: boolean): string => {
  const place = commit.path === '' ? '' : `, in ${inline(`${commit.path}:${commit.startLine}`)}`
  const head = `### ${title(commit)}\n\n${claim(commit)}${place}\n`
  if (commit.text === '') return head
  const { lines, before, after } = excerptOf(commit, isFull)
  const more = before + after > 0 ? `\n${before + after} more lines\n` : ''
  return `${head}\n${fenced(lines.join('\n'), 'diff')}${more}`
}

const title = (commit: ExplainingCommit): string => {
  const [subject = ''] = commit.message.split('\n')
  return `${inline(shortId(commit))} ${commit.date.slice(0, 10)} ${inline(commit.author)} ${inline(subject)}`
}

const claim = (commit: ExplainingCommit | RelatedCommit): string => {
  const share = commit.lines.length === 0 ? '' : `${shareText(commit.share, commit.lines)}, `
  return `${share}${provenanceText(commit)}`
}
