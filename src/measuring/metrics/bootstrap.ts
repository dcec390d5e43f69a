/** Says whether a difference between two rankings is more than chance: paired bootstrap, by query or by repository. */

import { seededDraw } from './random.js'

/** The same query scored twice. */
export interface Pair {
  readonly before: number
  readonly after: number
  readonly repository: string
}

export interface BootstrapOptions {
  /** Queries of one repository resemble each other; drawing whole repositories gives the wider, honest interval. */
  readonly unit: 'query' | 'repository'
  readonly resamples?: number
  readonly seed?: number
}

export interface Difference {
  /** Mean of after − before over all queries. */
  readonly mean: number
  /** The middle 95 % of the resampled means. */
  readonly low: number
  readonly high: number
  readonly queries: number
  /** How many units were drawn for each resample. */
  readonly units: number
}

export const pairedBootstrap = (
  pairs: readonly Pair[],
  { unit, resamples = 10_000, seed = 1 }: BootstrapOptions,
): Difference => {
  if (pairs.length === 0) throw new RangeError('A bootstrap needs at least one pair')
  const units = [...unitsOf(pairs, unit)]
  const draw = seededDraw(seed)
  const means = new Float64Array(resamples)
  for (let round = 0; round < resamples; round++) {
    let total = 0
    let queries = 0
    for (let drawn = 0; drawn < units.length; drawn++) {
      const picked = units[draw(units.length)]!
      total += picked.total
      queries += picked.queries
    }
    means[round] = total / queries
  }
  means.sort()
  const total = units.reduce((sum, each) => sum + each.total, 0)
  return {
    mean: total / pairs.length,
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
    queries: pairs.length,
    units: units.length,
  }
}

interface Unit {
  total: number
  queries: number
}

const unitsOf = (pairs: readonly Pair[], unit: BootstrapOptions['unit']): Iterable<Unit> => {
  if (unit === 'query') return pairs.map(({ before, after }) => ({ total: after - before, queries: 1 }))
  const units = new Map<string, Unit>()
  for (const { before, after, repository } of pairs) {
    const known = units.get(repository) ?? { total: 0, queries: 0 }
    known.total += after - before
    known.queries += 1
    units.set(repository, known)
  }
  return units.values()
}

/** Between the two neighbours, weighted by nearness. */
const quantile = (sorted: Float64Array, share: number): number => {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const lower = sorted[below]!
  return lower + (place - below) * (sorted[Math.min(below + 1, sorted.length - 1)]! - lower)
}
