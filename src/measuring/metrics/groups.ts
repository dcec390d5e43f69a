/** From scores of queries to figures of a set: means over all, by category, by language, by repository. */

/** One query with its scores, by metric name. */
export interface ScoredQuery {
  readonly id: string
  readonly category: string
  readonly language: string
  readonly repository: string
  readonly scores: Readonly<Record<string, number>>
}

export interface Group {
  readonly group: string
  readonly n: number
  readonly means: Readonly<Record<string, number>>
}

/** Every query counts the same. A metric is averaged over the queries that have it. */
export const meanScores = (queries: readonly ScoredQuery[]): Record<string, number> => {
  const sums = new Map<string, { total: number; count: number }>()
  for (const { scores } of queries) {
    for (const [metric, value] of Object.entries(scores)) {
      const sum = sums.get(metric) ?? { total: 0, count: 0 }
      sums.set(metric, { total: sum.total + value, count: sum.count + 1 })
    }
  }
  return Object.fromEntries([...sums].map(([metric, { total, count }]) => [metric, total / count]))
}

/** In the order of the group names. */
export const groupScores = (
  queries: readonly ScoredQuery[],
  by: 'category' | 'language' | 'repository',
): Group[] => {
  const groups = new Map<string, ScoredQuery[]>()
  for (const query of queries) {
    const members = groups.get(query[by])
    if (members) members.push(query)
    else groups.set(query[by], [query])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, members]) => ({ group, n: members.length, means: meanScores(members) }))
}
