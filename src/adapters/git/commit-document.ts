/** Makes a document of what git says of a commit: text that is well-formed, without NUL, whatever bytes came. */

import { isUtf8 } from 'node:buffer'
import type { CommitFacts, SourceDocument } from '../../core/types.js'
import { LONGEST_FIELD, type RawCommit } from './split-commits.js'

export const commitDocument = ({ fields, diff, omitted }: RawCommit): SourceDocument => {
  const commit = commitFacts(fields)
  return {
    kind: 'hunk',
    path: commit.sha,
    language: 'diff',
    text: withoutNul(diff.toString('utf8')),
    contentHash: commit.sha,
    stamp: commit.sha,
    time: commit.committed,
    commit,
    ...(omitted.length === 0 ? {} : { omitted }),
  }
}

const commitFacts = (fields: readonly Buffer[]): CommitFacts => {
  const [sha, committed, authored, author, email, message] = fields
  return {
    sha: sha!.toString('latin1'),
    author: words(author!),
    email: words(email!),
    authored: milliseconds(authored!),
    committed: milliseconds(committed!),
    message: words(message!).trimEnd(),
  }
}

/** Git converts what says its encoding; what says none and is no UTF-8 is Western text from before UTF-8. */
const words = (bytes: Buffer): string => {
  // A field that was cut off may end in the middle of a character.
  const whole = bytes.length === LONGEST_FIELD ? bytes.subarray(0, lastBoundary(bytes)) : bytes
  return withoutNul(isUtf8(whole) ? whole.toString('utf8') : new TextDecoder('windows-1252').decode(whole))
}

const lastBoundary = (bytes: Buffer): number => {
  let at = bytes.length - 1
  while (at > bytes.length - 4 && (bytes[at]! & 0xc0) === 0x80) at--
  return at
}

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)

/** A date that git cannot read comes as nothing or as a number beyond all calendars. */
const milliseconds = (bytes: Buffer): number => {
  const value = Number(bytes.toString('latin1')) * 1000
  return Math.abs(value) <= LAST_DATE ? value : 0
}

const LAST_DATE = 8.64e15
