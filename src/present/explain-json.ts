/** An explanation as programs read it. Spelled out so that the order of the keys is a promise and nothing else slips in. */

import type { ExplainingCommit, Explanation } from '../core/explanation.js'
import { encode } from './json.js'
import { explainedWithoutSecrets } from './without-secrets.js'

export const explanationJson = (explanation: Explanation): string =>
  `${encode(explanationShape(explainedWithoutSecrets(explanation)), 2)}\n`

const explanationShape = (explanation: Explanation) => {
  const { path, at, startLine, endLine, exact, uncommitted, related, warnings, index } = explanation
  return {
    ...{ path, at, startLine, endLine },
    exact: exact.map(commitShape),
    uncommitted,
    related: related.map(commit => ({ ...commitShape(commit), why: commit.why, score: commit.score })),
    warnings,
    index,
  }
}

const commitShape = (explaining: ExplainingCommit) => {
  const { commit, author, email, date, committed, message } = explaining
  const { provenance, role, share, lines, path, startLine, endLine, originalLines } = explaining
  const { symbol, change, oldPath, hunks, text } = explaining
  return {
    ...{ commit, author, email, date, committed, message },
    ...{ provenance, role, share: Number(share.toFixed(6)), lines },
    ...{ path, startLine, endLine, originalLines, symbol, change },
    ...(oldPath === undefined ? {} : { oldPath }),
    ...{ hunks, text },
  }
}
