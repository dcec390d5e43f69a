/** Answers as the engine would hand them over, for the tests of `present/`. */

import type { Answer, Hit } from '../../dist/core/answers.js'

export const hitOf = (changes: Partial<Hit> = {}): Hit => ({
  id: 'a1b2c3',
  kind: 'code',
  path: 'src/http/retry.ts',
  startLine: 10,
  endLine: 12,
  symbol: 'retryWithBackoff',
  language: 'typescript',
  score: 0.75,
  text: 'export const retryWithBackoff = () => {\n  wait(100)\n}',
  ...changes,
})

export const answerOf = (hits: readonly Hit[], changes: Partial<Answer> = {}): Answer => ({
  query: 'how does it retry requests',
  hits,
  warnings: [],
  index: {
    documents: 3,
    chunks: 5213,
    vectors: { 'bge-small': 0.629 },
    indexedAt: '2024-05-01T00:00:00.000Z',
  },
  ...changes,
})
