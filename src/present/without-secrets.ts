/**
 * What is shown of a repository, without the secrets in it. Every form of an answer goes through here before its lines are
 * picked: a key that spans lines is known only as a whole. Whoever needs the bytes opens the file.
 */

import type { Answer, Hit } from '../core/answers.js'
import type { ExplainingCommit, Explanation } from '../core/explanation.js'
import { redact } from '../text/redact.js'

export const withoutSecrets = (answer: Answer): Answer => ({ ...answer, hits: answer.hits.map(cleanHit) })

export const explainedWithoutSecrets = (explanation: Explanation): Explanation => ({
  ...explanation,
  exact: explanation.exact.map(cleanCommit),
  related: explanation.related.map(cleanCommit),
})

const cleanHit = (hit: Hit): Hit => ({
  ...hit,
  text: redact(hit.text),
  ...(hit.message !== undefined && { message: redact(hit.message) }),
  ...(hit.neighbours && {
    neighbours: hit.neighbours.map(near => ({ ...near, text: redact(near.text) })),
  }),
})

const cleanCommit = <Commit extends ExplainingCommit>(commit: Commit): Commit => ({
  ...commit,
  text: redact(commit.text),
  message: redact(commit.message),
})
