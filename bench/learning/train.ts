/**
 * Fits the weights of the linear ranker. A file stands in an answer where its best chunk stands, so that is what is fitted: for
 * each target, the softmax over the best chunk of every file should put its mass on the target. (Summed over all chunks instead,
 * a file of many chunks wins by their number, and the ranking by its best chunk loses .016 nDCG@10 on the code-search set.)
 * Plain gradient descent (Adam) with an L2 penalty; deterministic, no library.
 */

/** One question: a row of features for each candidate, and which candidates answer which target. */
export interface Example {
  readonly rows: readonly ArrayLike<number>[]
  /** Of each candidate: what it stands for in the answer. Its file; a turn stands for itself. */
  readonly groups: readonly string[]
  /** For each target the positions of the candidates that hit it; targets outside the pool are empty. */
  readonly targets: readonly (readonly number[])[]
  readonly weight: number
}

export interface TrainOptions {
  readonly features: number
  /** Strength of the pull towards the prior. */
  readonly penalty: number
  /** Where a weight stays when the examples say nothing about it. */
  readonly prior: ArrayLike<number>
  readonly epochs: number
  /** Features that stay at zero (ablations, features a stage cannot have). */
  readonly frozen?: ReadonlySet<number>
}

const STEP = 0.05
const DECAY_1 = 0.9
const DECAY_2 = 0.999

export const train = (examples: readonly Example[], options: TrainOptions): Float64Array => {
  const { features, penalty, prior, epochs, frozen = new Set() } = options
  const weights = Float64Array.from(prior)
  const first = new Float64Array(features)
  const second = new Float64Array(features)
  const total = examples.reduce((sum, example) => sum + example.weight, 0) || 1
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const gradient = weights.map((weight, feature) => penalty * (weight - prior[feature]!))
    for (const example of examples) addGradient(example, weights, gradient, example.weight / total)
    for (let feature = 0; feature < features; feature++) {
      if (frozen.has(feature)) continue
      const slope = gradient[feature]!
      first[feature] = DECAY_1 * first[feature]! + (1 - DECAY_1) * slope
      second[feature] = DECAY_2 * second[feature]! + (1 - DECAY_2) * slope * slope
      const mean = first[feature]! / (1 - DECAY_1 ** epoch)
      const spread = second[feature]! / (1 - DECAY_2 ** epoch)
      weights[feature]! -= (STEP * mean) / (Math.sqrt(spread) + 1e-8)
    }
  }
  return weights
}

/** d/dw of −log( e^hit / (e^hit + Σ over rivals e^rival) ), for the best hit of each target. */
const addGradient = (
  { rows, groups, targets }: Example,
  weights: Float64Array,
  gradient: Float64Array,
  scale: number,
): void => {
  const scores = rows.map(row => dot(row, weights))
  const better = (one: number, other: number) => (scores[other]! > scores[one]! ? other : one)
  const reached = targets.filter(hits => hits.length > 0)
  const wanted = new Set(reached.flat().map(position => groups[position]!))
  const rivals = new Map<string, number>()
  groups.forEach((group, position) => {
    if (!wanted.has(group)) rivals.set(group, better(rivals.get(group) ?? position, position))
  })
  for (const hits of reached) {
    const compared = [hits.reduce(better), ...rivals.values()]
    const highest = Math.max(...compared.map(position => scores[position]!))
    const powers = compared.map(position => Math.exp(scores[position]! - highest))
    const all = powers.reduce((sum, power) => sum + power, 0)
    compared.forEach((position, place) => {
      const factor = ((powers[place]! / all - (place === 0 ? 1 : 0)) * scale) / reached.length
      const row = rows[position]!
      for (let feature = 0; feature < row.length; feature++) gradient[feature]! += factor * row[feature]!
    })
  }
}

export const dot = (row: ArrayLike<number>, weights: ArrayLike<number>): number => {
  let total = 0
  for (let feature = 0; feature < row.length; feature++) total += row[feature]! * weights[feature]!
  return total
}
