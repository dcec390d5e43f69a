import { expect, it } from 'vitest'
import { endsWithTarget, samePath } from '../../../dist/measuring/metrics/match.js'
import {
  scoreCodeSearch,
  scoreCodescout,
  scoreDocuments,
  scoreIssue,
} from '../../../dist/measuring/metrics/score-query.js'

const query = (...paths: string[]) => ({
  id: 'q',
  text: 'q',
  category: 'c',
  targets: paths.map(path => ({ path, grade: 1 })),
})
const results = (...paths: string[]) =>
  paths.map((path, index) => ({ path, startLine: index * 10 + 1, endLine: index * 10 + 10 }))

it('code-search counts slots', () => {
  const corpus = { matches: endsWithTarget('src') }
  const scores = scoreCodeSearch(corpus, query('src/b.ts'), results('a.ts', 'a.ts', 'b.ts'))
  expect(scores['nDCG@10']).toBeCloseTo(0.5, 12)
  expect(scores['MRR@10']).toBeCloseTo(1 / 3, 12)
  expect(scores['R@10']).toBe(1)
})

it('issues count files and want all of them', () => {
  const found = results('a.py', 'a.py', 'a.py', 'b.py', 'c.py')
  expect(scoreIssue({ matches: samePath }, query('b.py', 'c.py'), found)).toEqual({
    'Acc@1': 0,
    'Acc@5': 1,
    'Acc@10': 1,
    'Hit@10': 1,
    MRR: 0.5,
  })
  expect(scoreIssue({ matches: samePath }, query('a.py', 'lost.py'), found)).toEqual({
    'Acc@1': 0,
    'Acc@5': 0,
    'Acc@10': 0,
    'Hit@10': 1,
    MRR: 1,
  })
})

it('documents count each document once', () => {
  const found = results(...Array.from({ length: 30 }, (_, index) => `${Math.floor(index / 2)}.txt`))
  const scores = scoreDocuments({ matches: samePath }, query('2.txt', '12.txt'), found)
  // Ranks 3 and 13: ½ of the ideal 1.63093.
  expect(scores['nDCG@10']).toBeCloseTo(0.30657, 5)
  expect(scores['MRR@10']).toBeCloseTo(1 / 3, 12)
  expect([scores['R@10'], scores['R@100']]).toEqual([0.5, 1])
})

it('codescout gives points by slot and by file', () => {
  const found = results('a.rs', 'a.rs', 'a.rs', 'a.rs', 'a.rs', 'b.rs')
  expect(scoreCodescout({ matches: samePath }, query('a.rs', 'b.rs'), found)).toEqual({
    'points by slot': 2,
    'points by file': 3,
  })
  expect(scoreCodescout({ matches: samePath }, query('a.rs', 'b.rs', 'z.rs'), results('b.rs'))).toEqual({
    'points by slot': 1,
    'points by file': 1,
  })
})
