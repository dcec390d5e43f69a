/**
 * Fits the weights of the linear ranker: for each target, the softmax over its pool should put its mass on the chunks that
 * answer. Plain gradient descent (Adam) with an L2 penalty; deterministic, no library.
 */

/** One question: a row of features for each candidate, and which candidates answer which target. */
export interface Example {
  readonly id: string
  readonly repository: string
  readonly rows: readonly ArrayLike<number>[]
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

/** d/dw of −log( Σ over hits e^s / Σ over all but the other targets' hits e^s ). */
const addGradient = (
  example: Example,
  weights: Float64Array,
  gradient: Float64Array,
  scale: number,
): void => {
  const scores = example.rows.map(row => dot(row, weights))
  const highest = Math.max(...scores)
  const powers = scores.map(score => Math.exp(score - highest))
  const reached = example.targets.filter(hits => hits.length > 0)
  for (const hits of reached) {
    const own = new Set(hits)
    const others = new Set(reached.flat().filter(position => !own.has(position)))
    let all = 0
    let good = 0
    powers.forEach((power, position) => {
      if (others.has(position)) return
      all += power
      if (own.has(position)) good += power
    })
    example.rows.forEach((row, position) => {
      if (others.has(position)) return
      const share = powers[position]! / all - (own.has(position) ? powers[position]! / good : 0)
      if (Math.abs(share) < 1e-9) return
      const factor = (share * scale) / reached.length
      for (let feature = 0; feature < row.length; feature++) gradient[feature]! += factor * row[feature]!
    })
  }
}

export const dot = (row: ArrayLike<number>, weights: ArrayLike<number>): number => {
  let total = 0
  for (let feature = 0; feature < row.length; feature++) total += row[feature]! * weights[feature]!
  return total
}
