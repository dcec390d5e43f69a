import { expect, it } from 'vitest'
import { groupScores, meanScores } from '../../../dist/measuring/metrics/groups.js'

const scored = (id: string, language: string, category: string, ndcg: number) => ({
  id,
  language,
  category,
  repository: `${language}-project`,
  scores: { ndcg, hit: ndcg > 0 ? 1 : 0 },
})

const queries = [
  scored('1', 'zig', 'symbol', 1),
  scored('2', 'go', 'symbol', 0.5),
  scored('3', 'go', 'semantic', 0),
]

it('averages over queries', () => {
  expect(meanScores(queries)).toEqual({ ndcg: 0.5, hit: 2 / 3 })
  expect(meanScores([])).toEqual({})
})

it('averages a metric over the queries that have it', () => {
  expect(meanScores([...queries, { ...queries[0]!, scores: { ndcg: 0.5 } }])).toEqual({
    ndcg: 0.5,
    hit: 2 / 3,
  })
})

it('groups by language, category and repository, sorted by name', () => {
  expect(groupScores(queries, 'language')).toEqual([
    { group: 'go', n: 2, means: { ndcg: 0.25, hit: 0.5 } },
    { group: 'zig', n: 1, means: { ndcg: 1, hit: 1 } },
  ])
  expect(groupScores(queries, 'category').map(({ group, n }) => [group, n])).toEqual([
    ['semantic', 1],
    ['symbol', 2],
  ])
  expect(groupScores(queries, 'repository').map(({ group }) => group)).toEqual(['go-project', 'zig-project'])
})
