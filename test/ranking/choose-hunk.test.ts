import { describe, expect, it } from 'vitest'
import type { WeighedTerm } from '../../dist/core/questions.js'
import type { StoredChunk } from '../../dist/core/types.js'
import { chooseHunk } from '../../dist/ranking/choose-hunk.js'

const hunk = (path: string, text: string): StoredChunk => ({
  ...{ id: 1, digest: path, kind: 'hunk', path, document: 'c0ffee', language: 'python', time: 0 },
  ...{
    embeddingHash: null,
    ordinal: 1,
    siblings: 4,
    startLine: 1,
    endLine: 2,
    text,
    header: '',
    symbols: [],
  },
})

const asked = (...tokens: readonly string[]): WeighedTerm[] =>
  tokens.map(token => ({ token, weight: 1, rarity: 1 }))

const shown = (hunks: readonly StoredChunk[], terms: readonly WeighedTerm[]) =>
  chooseHunk(hunks, terms)?.hunk.path

describe('chooseHunk', () => {
  it('shows the change before its test, its documentation and its line in the changelog', () => {
    const hunks = [
      hunk('CHANGELOG.md', '+retry on busy servers'),
      hunk('docs/retry.md', '+retry on busy servers'),
      hunk('tests/test_retry.py', '+retry on busy servers'),
      hunk('src/http.py', '+pass'),
    ]
    expect(shown(hunks, asked('retry', 'busy'))).toBe('src/http.py')
    expect(shown(hunks.slice(0, 3), asked('retry'))).toBe('tests/test_retry.py')
    expect(shown(hunks.slice(0, 2), asked('retry'))).toBe('docs/retry.md')
  })

  it('takes what says most of the question among files of one kind, the first where all are alike', () => {
    const hunks = [hunk('a.py', '+nothing'), hunk('b.py', '+retry()'), hunk('c.py', '+retry(busy)')]
    expect(shown(hunks, asked('retry', 'busy'))).toBe('c.py')
    expect(shown(hunks, asked('unrelated'))).toBe('a.py')
  })

  it('has nothing to show of a commit without hunks', () => {
    expect(chooseHunk([], asked('retry'))).toBe(null)
  })
})
